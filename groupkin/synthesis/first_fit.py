"""The first fit: a second process compiles what all fits share (`groupkin.kinematics.program.first_use`)."""

from __future__ import annotations

from groupkin.kinematics.program.first_use import ahead
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Body, Driver, Joint, Mechanism
from sglibrary.run.sample_loop import solve_samples


def compile_ahead() -> None:
    """Let a second process compile what fits share, if there never was one."""
    ahead(solve_samples, [__name__, "fit_a_crank"])


def fit_a_crank() -> None:
    """Fit what is as small as can be, which compiles what all fits need."""
    from groupkin.kinematics.design.design import design
    from groupkin.synthesis.fit import fit

    joint, arm = Joint("A", "R", ("frame", "crank"), point=(0.0, 0.0)), Body("crank", points={"P": (1.0, 0.0)})
    crank = Mechanism(2, ["frame", arm], [joint], [Driver("A", Ramp(1.0))], frame="frame")
    fit(design(crank, ["P"]), {"position P": [(0.6, 0.8), (-0.8, 0.6)]}, at=[0.0, 1.5], starts=1)
