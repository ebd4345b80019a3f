"""Kinematics of mechanisms by structural groups.

Describe a mechanism (`Mechanism`, or a file), decompose it (`analyze`), solve its motion (`solve`) and read the result
from a `Motion`. Wherever a mechanism is an argument, the path of its file stands for it: ``gk.solve("four_bar.toml")``.
``help(gk.solve)`` says all of one name. The names by subject, those that end in () are functions:

Mechanisms
    Mechanism, Units                        bodies, joints, drivers, forces, outputs and ranges; units of texts
    Body, Joint, Driver, Coupling, Curve    what a mechanism consists of
    Solid, Shape                            a body's mass and inertia by its shape; how it looks
    Part                                    a mechanism as a part of another
    Suspension                              what designers of wheel suspensions read, as outputs
    Robot                                   a tool whose dexterity, stiffness and errors are read
    Value                                   a number that remembers what it is computed from

Files
    load(), read(), save()                  the mechanism alone; with its times; into a file
    example(), examples(), Examples         the files that come with the package
    import_model(), ImportedModel           robot models: MJCF, SDF, URDF
    export_mjcf()                           a mechanism as a model for MuJoCo

Laws of drivers
    Constant, Ramp, Harmonic, Polynomial    by formulas
    Fourier, Spline, Samples, Over          by numbers; over another driver
    Rise, Sequence, Dwell, ConstantVelocity of machines, piece by piece
    cam_profile(), CamProfile               the profile of a disk cam from a law
    CamCurve, Follower                      its curve for a joint; what it moves

Points by lengths and angles
    from_lengths()                          all of them, from the constructions below
    Along, Circles, Crossing, Foot          on a line, where circles or lines meet, at a right angle
    Mirrored, Polar, Reach, Shifted, Turned from other points
    from_denavit_hartenberg(), Link         joints of an arm, from its table

Structure
    analyze(), Structure, Group             structural groups in solving order, with their solvers
    transform(), redrive()                  other choices of drivers; drive other joints
    Transformation, Transformations         one choice; all, the best first
    atlas(), Atlas, driven_linkages()       all linkages of so many bars
    generate_chains(), Chain, generate()    kinematic chains; a random mechanism

Motion
    solve(), Motion                         position, velocity and acceleration of every body
    program(), Program                      a mechanism made ready, for many motions
    quantity(), Quantity                    what can be read, such as "velocity P.norm"
    assembly_modes(), AssemblyModes, Mode   all ways to put it together
    limits(), Limits                        how far a driver goes
    Limit, Branch, Circuit                  where it ends, between ends, and what is connected
    workspace(), Workspace, Section, Region where a point can go
    jacobian(), Jacobian                    rates by rates, singular positions
    field(), Field                          a value over two drivers
    compare(), Differences, max_residual()  checks by another method
    solve_globally(), GlobalMotion          that method: all bodies at once

Designs
    design(), Design, Designs               other dimensions, one or thousands
    parameter(), nominal_value()            a parameter by its text; its value
    Point, JointPoint, Axis, Length         parameters of geometry
    LawValue, LoadNumber                    numbers of laws, masses and forces
    NamedValue, AssemblyMode                others
    fit(), Fit                              dimensions that meet targets
    Tolerance                               how much results deviate

Forces
    inverse_dynamics(), Forces              driving forces and reactions
    Force, Torque, JointForce               forces that act
    Spring, JointSpring, Bushing, Stop      by how far something is moved
    Contact, Friction, JointFriction        between bodies, and in joints
    JointInertia                            rotors of motors in joints
    counterweights(), Counterweights        balance
    harmonics(), Harmonics, ContactLoss     orders over a period; where contact would be lost

Motion under forces
    simulate(), simulate_many(), Simulations the motion from one start, or many
    Event                                   what is looked for on the way
    equilibrium(), linearize()              a position of rest; small motions
    Linearization                           their frequencies and damping
    periodic_motion(), PeriodicMotion       a motion that repeats itself

Other programs
    export_library(), export_c()            a compiled library and its header, without Python; source of C
    closure(), Closure                      all joints at values of the drivers, one position at a time

Pictures
    draw(), animate(), report()             a mechanism; its motion as a page or film; a page to be printed
    export_drawing()                        a plane mechanism at true scale, for CAD programs
    plot(), plot_field(), plot_fit()        quantities over time; over two drivers; a fit

Errors
    GroupkinError, GroupkinWarning          the roots of all errors and warnings

All names are imported when first used, so that ``import groupkin`` is quick.
"""

from typing import Any

import lazy_loader

_attribute, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        from groupkin.messages import no_attribute

        raise no_attribute(__name__, name, __all__)
    return _attribute(name)


__version__ = "0.1.0"
