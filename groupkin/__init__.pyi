from .analysis import analyze as analyze
from .errors import GroupkinError as GroupkinError
from .kinematics.check import Differences as Differences
from .kinematics.check import compare as compare
from .kinematics.check import max_residual as max_residual
from .kinematics.global_formulation import GlobalMotion as GlobalMotion
from .kinematics.global_formulation import solve_globally as solve_globally
from .kinematics.motion import Motion as Motion
from .kinematics.program import Program as Program
from .kinematics.solver import program as program
from .kinematics.solver import solve as solve
from .mechanism.files import load as load
from .mechanism.laws import Constant as Constant
from .mechanism.laws import Fourier as Fourier
from .mechanism.laws import Harmonic as Harmonic
from .mechanism.laws import Polynomial as Polynomial
from .mechanism.laws import Ramp as Ramp
from .mechanism.laws import Samples as Samples
from .mechanism.laws import Spline as Spline
from .mechanism.mechanism import Body as Body
from .mechanism.mechanism import Driver as Driver
from .mechanism.mechanism import Joint as Joint
from .mechanism.mechanism import Mechanism as Mechanism
from .structure.decomposition import Group as Group
from .structure.decomposition import Structure as Structure

__version__: str
