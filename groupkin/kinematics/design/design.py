"""Designs: a mechanism whose dimensions and laws are inputs; examined once, solved for any values of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import checked, floats
from groupkin.errors import ParameterError, shown
from groupkin.kinematics.changed.changed_mechanism import changed_mechanism
from groupkin.kinematics.changed.varied_program import varied_program
from groupkin.kinematics.derivatives.derivatives import Derivatives
from groupkin.kinematics.derivatives.sample_derivatives import SampleDerivatives
from groupkin.kinematics.design.many_designs import Designs, solve_many
from groupkin.kinematics.design.solve_one import solve_one
from groupkin.kinematics.design.tolerances import Tolerance, tolerance
from groupkin.kinematics.motion.labeled_arrays import kept
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.parameters.checks import check
from groupkin.kinematics.parameters.nominal_values import nominal_value
from groupkin.kinematics.parameters.nominal_values import parameter as read_parameter
from groupkin.kinematics.parameters.parameters import AssemblyMode, Target, single
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program as make
from groupkin.kinematics.solver import warn_of_ranges
from groupkin.kinematics.solving.run import check_times
from groupkin.mechanism.mechanism import Mechanism
from groupkin.showing import InNotebooks
from sglibrary.array_types import Array


@dataclass(frozen=True, eq=False)
class Design(InNotebooks):
    """A mechanism whose parameters are inputs; made by `design`, which checks it.

    Attributes
    ----------
    program : Program
        The nominal one: structure, solvers and assembly modes are those of all designs.
    parameters : tuple of Target
        One number each: points and axes are taken apart into components.
    nominal : (parameters,) array
        Nominal values, SI.
    """

    program: Program
    parameters: tuple[Target, ...]
    nominal: Array

    def __repr__(self) -> str:
        return f"<Design of {self.program.mechanism.name}: {', '.join(self.names)}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The text form of every parameter, in the order of values."""
        return tuple(map(str, self.parameters))

    @checked
    def solve(
        self,
        values: ArrayLike,
        times: ArrayLike,
        *,
        keep: Sequence[str | Quantity] | None = None,
        out: Motion | None = None,
        derivatives: bool = False,
    ) -> Motion | Designs | Derivatives:
        """Solve the design with some values, or many designs together.

        Parameters
        ----------
        values : (parameters,) or (n, parameters) array_like
            m, rad and the units of laws; in the order of `names`.
        times : (t,) array_like
            s.
        keep : sequence of str or Quantity, optional
            What a motion's datasets and tables hold, as of `groupkin.solve`; of many designs, what is computed of
            each, which has to be said.
        out : Motion, optional
            One that this design has given for as many times, whose memory is used again for one of closed forms.
        derivatives : bool
            Whether derivatives by all parameters are wanted.

        Returns
        -------
        Motion, Designs or Derivatives
            For (parameters,) a motion with memory of its own; for (n, parameters) all designs. The motion is that of
            `mechanism(values)`, but for rotations of bodies and coordinates of joints that are not driven, which are
            counted from the nominal reference configuration. Derivatives have the motion, and the derivatives of its
            quantities.

        Raises
        ------
        ArgumentError, TimesError, QuantityError
        ParameterError
            If the values are no dimensions of the mechanism, such as lengths that contradict each other.
        CannotAssembleError, SingularPositionError, NotConvergedError
            Of one design: with group, time and values. Of many each has a status instead.
        """
        numbers = self._values(values, many=True)
        if numbers.ndim == 1:
            motion = solve_one(self.program, self.parameters, numbers, times, out)
            if self.program.mechanism.has_ranges:
                warn_of_ranges(motion)
            motion = motion if keep is None else replace(motion, keep=self._kept(keep))
            return Derivatives(motion, self.program, self.parameters, numbers) if derivatives else motion
        if keep is None:
            raise ParameterError('say what to keep of many designs, such as keep=["position P"]')
        kept = self._kept(keep)
        differentiated = SampleDerivatives(self.program, self.parameters, kept) if derivatives else None
        given = self.program, self.parameters, numbers, check_times(times), kept
        return solve_many(*given, differentiated=differentiated, ranged=self.program.mechanism.has_ranges)

    @checked
    def tolerance(
        self,
        deviations: Mapping[str, float] | ArrayLike,
        times: ArrayLike,
        *,
        keep: Sequence[str | Quantity],
        values: ArrayLike | None = None,
    ) -> Tolerance:
        """Estimate, to first order, how much quantities deviate where parameters do, independently of each other.

        Parameters
        ----------
        deviations : mapping of str to float, or array_like
            Standard or largest deviations, m, rad and the units of laws: by name, where a point stands for its
            components and others do not deviate; one for each parameter; or one for all.
        times : (t,) array_like
            s.
        keep : sequence of str or Quantity
            The quantities, such as ``position P``.
        values : (parameters,) array_like, optional
            Default: the nominal ones.

        Returns
        -------
        Tolerance
            Its derivatives are exact, but by central differences where some of a quantity are not computed.

        Raises
        ------
        ArgumentError, TimesError, QuantityError, ParameterError, UnknownNameError
        CannotAssembleError, SingularPositionError, NotConvergedError
            If the design itself cannot be solved.

        Examples
        --------
        >>> import groupkin as gk
        >>> joints = [gk.Joint("A", "R", ("frame", "crank"), point=(0, 0))]
        >>> crank = gk.Mechanism(
        ...     2, ["frame", gk.Body("crank", points={"P": (1, 0)})], joints, [gk.Driver("A", gk.Ramp(1.0))]
        ... )
        >>> found = gk.design(crank, ["P"]).tolerance({"P.x": 1e-3}, [0.0], keep=["position P"])
        >>> found.standard("position P").round(9)
        array([[0.001, 0.   ]])
        """
        numbers = self.nominal if values is None else self._values(values)
        wanted = kept(keep, self.program)
        return tolerance(self.program, self.parameters, numbers, deviations, check_times(times), wanted)

    @checked
    def mechanism(self, values: ArrayLike) -> Mechanism:
        """Make the changed mechanism, with a closed reference configuration, which can be saved and drawn.

        Raises
        ------
        ArgumentError, ParameterError
        NotAssembledError
            If it cannot be assembled at the reference values of its drivers.
        """
        return changed_mechanism(self.program, self.parameters, self._values(values))

    def _kept(self, keep: Sequence[str | Quantity]) -> tuple[Quantity, ...]:
        """Read what is kept, which is the same again and again."""
        texts, last = list(keep), self.__dict__.get("_last_kept")
        if last is None or last[0] != texts:
            last = self.__dict__["_last_kept"] = texts, kept(keep, self.program)
        return last[1]

    def _values(self, values: ArrayLike, many: bool = False) -> Array:
        numbers = floats(values)
        if numbers.shape[-1:] != self.nominal.shape or numbers.ndim > 1 + many or not numbers.size:
            raise ParameterError(
                f"values must have {self.nominal.size} numbers{' in each row' if many else ''}, for "
                f"{', '.join(self.names)}, not the shape {numbers.shape}"
            )
        if not np.isfinite(numbers).all():
            raise ParameterError(f"values must be finite numbers, not {shown(values)}")
        return numbers


@checked
def design(mechanism: Mechanism | Program, parameters: Sequence[str | Target]) -> Design:
    """Make parameters of a mechanism inputs, so that it is examined once and solved for any values of them.

    Parameters
    ----------
    mechanism : Mechanism or Program
        A program keeps its assembly modes.
    parameters : sequence of str or Target
        Such as ``C@coupler``, ``length crank A-B``, ``axis guide.x`` or ``rate A``, see `groupkin.parameter`.

    Returns
    -------
    Design

    Raises
    ------
    ParameterError, UnknownNameError
        If a parameter cannot be read, the mechanism does not have it, or two change the same number.
    NotModeledError
        If a dimension of a mechanism with cams, or one that opens repeated rows, is to change.
    """
    program = mechanism if isinstance(mechanism, Program) else make(mechanism)
    if isinstance(parameters, str) or not len(parameters):
        raise ParameterError(f"parameters must be a list of at least one, not {shown(parameters)}")
    d = program.mechanism.dimension
    targets = [one for given in parameters for one in single(read_parameter(given, program), d)]
    discrete = next((target for target in targets if isinstance(target, AssemblyMode)), None)
    if discrete is not None:
        raise ParameterError(
            f"`{discrete}` cannot be a parameter of a design, which keeps its assembly modes: make one for each, of "
            "gk.program(mechanism, modes=...)"
        )
    check(targets, program)
    nominal = np.array([float(nominal_value(target, program)) for target in targets])
    return Design(varied_program(program, targets), tuple(targets), nominal)
