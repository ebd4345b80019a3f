"""Robot models of the kinds that are published, with numbers of their own: closed loops as MJCF writes them."""

from __future__ import annotations

import numpy as np

MJCF: dict[str, str] = {}
"""Models in MJCF by name."""

MJCF["four-bar"] = """
<mujoco model="four-bar">
  <compiler angle="radian"/>
  <option gravity="0 0 -9.81"/>
  <default><geom type="capsule" size="0.02" density="900" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="crank" pos="0 0 0.1">
      <joint name="A" axis="0 1 0"/><geom fromto="0 0 0 0.03 0 0.27"/>
      <body name="rod" pos="0.03 0.04 0.27">
        <joint name="B" axis="0 1 0" stiffness="1.7" springref="0.2" damping="0.3" armature="0.02"/>
        <geom fromto="0 0 0 0.66 0 0.21"/><site name="P" pos="0.3 0 0.4"/>
      </body>
    </body>
    <body name="rocker" pos="0.8 0.1 0.1">
      <joint name="D" axis="0 -1 0" range="-1 1" limited="true"/><geom fromto="0 0 0 -0.11 0 0.48"/>
    </body>
  </worldbody>
  <equality><connect name="C" body1="rod" body2="rocker" anchor="0.66 0.06 0.21"/></equality>
  <actuator><motor joint="A"/></actuator>
</mujoco>"""

_FINGER = """
    <body name="{s}driver" pos="0 {y} 0.055" quat="{q}">
      <inertial mass="0.009" pos="0 0.018 0.001" diaginertia="1.7e-6 3e-7 1.6e-6"/>
      <joint name="{s}driver" class="driver"/>
      <body name="{s}coupler" pos="0 0.0317 -0.0043">
        <inertial mass="0.014" pos="0 0.001 0.018" diaginertia="4.2e-6 3.6e-6 9.5e-7"/>
        <joint name="{s}coupler" class="coupler"/>
      </body>
    </body>
    <body name="{s}spring" pos="0 {z} 0.0612" quat="{q}">
      <inertial mass="0.022" pos="-8e-9 0.018 0.021" quat="0.66 -0.24 0.24 0.66" diaginertia="8.9e-6 8.8e-6 3.3e-6"/>
      <joint name="{s}spring" class="spring"/>
      <body name="{s}follower" pos="0 0.0385 0.0427">
        <inertial mass="0.012" pos="0 -0.011 0.0125" quat="1 0.16 0 0" diaginertia="2.5e-6 2.6e-6 6e-7"/>
        <joint name="{s}follower" class="follower"/>
        <body name="{s}pad" pos="0 -0.019 0.013"><geom type="box" size="0.009 0.003 0.01" mass="0.0035"/></body>
      </body>
    </body>"""

MJCF["gripper"] = f"""
<mujoco model="gripper">
  <compiler angle="radian" autolimits="true"/>
  <default>
    <joint axis="1 0 0"/><geom contype="0" conaffinity="0"/>
    <default class="driver"><joint range="0 0.8" damping="0.1" armature="0.005"/></default>
    <default class="follower"><joint range="-0.87 0.87" pos="0 0.004 -0.002"/></default>
    <default class="spring"><joint range="-0.29 0.87" stiffness="0.05" springref="2.6" damping="0.00125"/></default>
    <default class="coupler"><joint range="-1.57 0"/></default>
  </default>
  <worldbody><body name="base" quat="1 0 0 0" pos="0.1 0.2 0">
    <inertial mass="0.77" pos="0 -2e-5 0.033" diaginertia="2.6e-4 2.2e-4 1.5e-4"/>
    {_FINGER.format(s="right ", y="0.0306", z="0.0131", q="1 0 0 0")}
    {_FINGER.format(s="left ", y="-0.0306", z="-0.0131", q="0 0 0 1")}
  </body></worldbody>
  <equality>
    <connect name="right" anchor="0.01 -0.018 0.0066" body1="right follower" body2="right coupler"/>
    <connect name="left" anchor="0 -0.018 0.0066" body1="left follower" body2="left coupler"/>
    <joint name="both" joint1="right driver" joint2="left driver" polycoef="0.01 0.9 0.05 0 0"/>
  </equality>
  <actuator><position joint="left driver" kp="10"/></actuator>
</mujoco>"""

MJCF["five-bar"] = """
<mujoco model="five-bar">
  <option gravity="0 -9.81 0"/>
  <default><geom type="capsule" size="0.008" mass="0.12" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="frame" pos="0 0 0.2" euler="0 0 20"><geom type="box" size="0.06 0.02 0.01"/>
      <body name="left" pos="-0.05 0 0.01" euler="0 0 115">
        <joint name="left" axis="0 0 1"/><geom fromto="0 0 0 0.16 0 0"/>
        <body name="left rod" pos="0.16 0 0.01" euler="0 0 -75">
          <joint name="left elbow" axis="0 0 1"/><geom fromto="0 0 0 0.2 0 0"/>
          <body name="tool" pos="0.2 0 0"><geom type="sphere" size="0.02"/><site name="tip" pos="0 0 0.01"/></body>
        </body>
      </body>
      <body name="right" pos="0.05 0 0.01" euler="0 0 65">
        <joint name="right" axis="0 0 1"/><geom fromto="0 0 0 0.16 0 0"/>
        <body name="right rod" pos="0.16 0 0.02" euler="0 0 75">
          <joint name="right elbow" axis="0 0 1"/><geom fromto="0 0 0 0.2 0 0"/><site name="end" pos="0.2 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <equality><connect site1="tip" site2="end"/></equality>
  <actuator><motor joint="left"/><motor joint="right"/></actuator>
</mujoco>"""


def _numbers(vector: object) -> str:
    return " ".join(f"{x:.6g}" for x in np.asarray(vector, float))


def _delta() -> str:
    """Three arms with two rods each, which carry a platform; its loops are open by roundings of six digits."""
    arms, ties = [], []
    for k in range(3):
        turn = np.deg2rad(120.0 * k + 7.0)
        out, side = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
        shoulder, elbow = 0.2 * out, 0.2 * out + 0.24 * out * np.cos(0.3) + [0.0, 0.0, -0.24 * np.sin(0.3)]
        rods = ""
        for n, sign in enumerate((-1.0, 1.0)):
            end = 0.07 * out + 0.05 * sign * side + [0.0, 0.0, -0.63]
            top = elbow + 0.05 * sign * side
            platform = ""
            if k == n == 0:
                sites = "".join(
                    f'<site name="s{i}{j}" pos="{_numbers(_end(i, j) - end)}"/>'
                    for i in range(3)
                    for j in range(2)
                    if (i, j) != (0, 0)
                )
                platform = (
                    f'<body name="platform" pos="{_numbers(end - top)}"><joint name="ball" type="ball"/>'
                    f'<inertial mass="0.4" pos="{_numbers(np.array([0, 0, -0.64]) - end)}" '
                    f'diaginertia="4e-4 4e-4 7e-4"/>{sites}</body>'
                )
            rods += (
                f'<body name="rod {k}{n}" pos="{_numbers(top - shoulder)}"><joint name="rod {k}{n}" type="ball"/>'
                f'<geom type="capsule" size="0.005" mass="0.06" fromto="0 0 0 {_numbers(end - top)}"/>'
                f'<site name="r{k}{n}" pos="{_numbers(end - top)}"/>{platform}</body>'
            )
            if (k, n) != (0, 0):
                ties.append(f'<connect name="tie {k}{n}" site1="r{k}{n}" site2="s{k}{n}"/>')
        arms.append(
            f'<body name="arm {k}" pos="{_numbers(shoulder)}"><joint name="arm {k}" axis="{_numbers(side)}"/>'
            f'<geom type="capsule" size="0.012" mass="0.3" fromto="0 0 0 {_numbers(elbow - shoulder)}"/>{rods}</body>'
        )
    motors = "".join(f'<motor joint="arm {k}"/>' for k in range(3))
    return (
        '<mujoco model="delta"><default><geom contype="0" conaffinity="0"/></default>'
        f"<worldbody>{''.join(arms)}</worldbody>"
        f"<equality>{''.join(ties)}</equality><actuator>{motors}</actuator></mujoco>"
    )


def _end(k: int, n: int) -> np.ndarray:
    turn = np.deg2rad(120.0 * k + 7.0)
    out, side = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
    return np.asarray(0.07 * out + 0.05 * (-1.0, 1.0)[n] * side + [0.0, 0.0, -0.63])


MJCF["delta"] = _delta()


HINGES = (("a", "1 0 0"), ("b", "0 1 0"), ("c", "0 0 1"))
"""Names of the three hinges at the end of a leg, and their axes."""


def _stewart() -> str:
    """Six legs of universal joint, slide and three hinges; five are welded to the platform by a stated pose."""
    legs, welds = [], []
    for k in range(6):
        turn, other = (
            np.deg2rad(60.0 * (k // 2) * 2 + (12.0 if k % 2 else -12.0)),
            np.deg2rad(60.0 * (k // 2) * 2 + (45.0 if k % 2 else -45.0)),
        )
        foot = 0.5 * np.array([np.cos(turn), np.sin(turn), 0.0])
        top = 0.3 * np.array([np.cos(other), np.sin(other), 0.0]) + [0.0, 0.0, 0.6]
        way = top - foot
        along = way / np.linalg.norm(way)
        platform = (
            f'<body name="platform" pos="{_numbers(np.array([0, 0, 0.6]) - top)}">'
            '<inertial mass="3" pos="0 0 0.01" diaginertia="0.07 0.07 0.13"/></body>'
            if k == 0
            else ""
        )
        legs.append(
            f'<body name="cylinder {k}" pos="{_numbers(foot)}"><joint name="u{k}" axis="1 0 0"/>'
            f'<joint name="v{k}" axis="0 1 0"/><inertial mass="0.6" pos="{_numbers(0.2 * along)}" '
            'diaginertia="0.004 0.004 0.001"/>'
            f'<body name="rod {k}" pos="{_numbers(0.3 * along)}"><joint name="leg {k}" type="slide" '
            f'axis="{_numbers(along)}"/><inertial mass="0.3" pos="{_numbers(0.1 * along)}" '
            'diaginertia="0.002 0.002 0.0004"/>'
            f'<body name="end {k}" pos="{_numbers(way - 0.3 * along)}">'
            + "".join(f'<joint name="{axis}{k}" axis="{d}"/>' for axis, d in HINGES)
            + f'<inertial mass="0.05" pos="0 0 0" diaginertia="1e-5 1e-5 1e-5"/>{platform}</body></body></body>'
        )
        if k:  # the end of the leg as it is to be in the platform, by which loops are open at first
            welds.append(
                f'<weld name="weld {k}" body1="platform" body2="end {k}" '
                f'relpose="{_numbers(top - [0, 0, 0.6] + [0, 0, 0.004 * k])} 1 0 0.01 0"/>'
            )
    motors = "".join(f'<motor joint="leg {k}"/>' for k in range(6))
    return (
        f'<mujoco model="stewart"><worldbody>{"".join(legs)}</worldbody>'
        f"<equality>{''.join(welds)}</equality><actuator>{motors}</actuator></mujoco>"
    )


MJCF["stewart"] = _stewart()

MJCF["leg"] = """
<mujoco model="leg">
  <compiler angle="degree"/>
  <default><geom type="capsule" size="0.02" density="1100" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="pelvis" pos="0 0 1"><freejoint name="float"/><geom type="sphere" size="0.1"/>
      <body name="hip" pos="0.02 0.135 0">
        <joint name="roll" axis="1 0 0"/><joint name="pitch" axis="0 -1 0" ref="5"/>
        <geom fromto="0 0 0 0.06 0 -0.1"/>
        <body name="achilles" pos="0 0 0.045" euler="0 55 -3">
          <joint name="achilles" type="ball"/><inertial mass="0.2" pos="0.37 0 0" diaginertia="1e-8 0.009 0.009"/>
          <site name="rod end" pos="0.7431 0 0"/>
        </body>
        <body name="knee" pos="0.12 0 -0.11" euler="0 60 0">
          <joint name="knee" axis="0 1 0"/><geom fromto="0 0 0 0.06 0.02 0.04"/>
          <body name="shin" pos="0.06 0.04 0.04">
            <joint name="shin" axis="0 1 0" stiffness="1500" damping="0.1"/><geom fromto="0 0 0 0.43 0 0.02"/>
            <body name="tarsus" pos="0.43 -0.03 0.02" euler="0 -110 0">
              <joint name="tarsus" axis="0 1 0"/><geom fromto="0 0 0 0.4 0 -0.03"/>
              <body name="heel" pos="-0.02 0.06 -0.05"><joint name="heel" axis="0 1 0" stiffness="1250"/>
                <geom fromto="0 0 0 -0.08 0 -0.05"/><site name="heel end" pos="-0.11 -0.02 0.02"/></body>
              <body name="crank" pos="0.06 0.02 -0.04"><joint name="crank" axis="0 1 0"/>
                <geom fromto="0 0 0 0.05 0 -0.03"/>
                <body name="plantar" pos="0.055 -0.02 -0.03"><joint name="plantar" axis="0 1 0"/>
                  <geom size="0.008" fromto="0 0 0 0.36 0 0.03"/></body></body>
              <body name="foot" pos="0.408 0.02 -0.04"><joint name="foot" axis="0 1 0"/>
                <geom fromto="0.05 0 -0.1 -0.03 0 0.09"/></body>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <equality>
    <connect name="rod" site1="rod end" site2="heel end"/>
    <connect name="sole" body1="plantar" body2="foot" anchor="0.365 0.01 0.03"/>
  </equality>
  <keyframe><key name="home" qpos="0 0 1 1 0 0 0  0 0.1  1 0 0 0  -0.1 0 0.1 0 0.1 0 0"/></keyframe>
  <actuator><motor joint="roll"/><motor joint="pitch"/><motor joint="knee"/><motor joint="crank"/></actuator>
</mujoco>"""

MJCF["slider"] = """
<mujoco model="slider">
  <compiler angle="degree"/>
  <worldbody>
    <body name="crank"><joint name="crank" axis="0 0 1" ref="30"/>
      <inertial mass="1" pos="0.05 0 0" diaginertia="1e-3 1e-3 2e-3"/>
      <body name="rod" pos="0.1 0 0" euler="0 0 -20">
        <joint name="rod" axis="0 0 1"/><inertial mass="0.5" pos="0.15 0 0" diaginertia="1e-3 4e-3 4e-3"/>
        <site name="left" pos="0.1 0.02 0"/></body></body>
    <body name="piston" pos="0.4 -0.11 0.03">
      <joint name="bore" type="slide" axis="1 0 0" armature="0.4" ref="0.4" stiffness="40" springref="0.3" damping="2"/>
      <inertial mass="0.8" pos="0.01 0 0" diaginertia="1e-3 1e-3 1e-3"/>
      <body name="nut" pos="0 0.05 0"><joint name="nut" type="slide" axis="1 1 0"/>
        <inertial mass="0.2" pos="0 0 0" diaginertia="1e-4 1e-4 1e-4"/></body></body>
    <body name="wheel" pos="0 0.4 0"><joint name="wheel" axis="0 0 1"/>
      <inertial mass="0.3" pos="0.01 0 0" diaginertia="1e-4 1e-4 1e-4"/>
      <body name="pointer"><joint name="pointer" axis="0 0 1"/>
        <inertial mass="0.1" pos="0.02 0 0" diaginertia="1e-4 1e-4 1e-4"/></body></body>
    <site name="wall" pos="0.2 0.3 0"/>
  </worldbody>
  <tendon>
    <fixed name="sum"><joint joint="wheel" coef="1"/><joint joint="pointer" coef="0.5"/></fixed>
    <fixed name="ram"><joint joint="bore" coef="3"/></fixed>
    <spatial name="coil" stiffness="25" springlength="0.2" damping="1.5">
      <site site="wall"/><site site="left"/></spatial>
  </tendon>
  <equality>
    <connect name="wrist" body1="rod" body2="piston" anchor="0.3 0 0"/>
    <joint name="screw" joint1="nut" joint2="crank" polycoef="0.01 0.02 0.003 0 0"/>
    <joint name="still" joint1="pointer" polycoef="0.2 0 0 0 0"/>
    <tendon name="belt" tendon1="sum" tendon2="ram" polycoef="0 1 0 0 0"/>
  </equality>
  <actuator><motor joint="crank"/></actuator>
</mujoco>"""


# --- one four-bar linkage in SDF and URDF ---------------------------------------------------------

PINS = {"A": (0.0, 0.1), "B": (0.05, 0.4), "C": (0.71, 0.61), "D": (0.8, 0.15)}
"""Pins of the linkage, x and z, m; it moves in the plane y = 0.2."""

INERTIAL = (
    "<inertial><pose>0.1 0 0.05 0 0.2 0</pose><mass>{mass}</mass><inertia><ixx>0.01</ixx><iyy>0.012</iyy>"
    "<izz>0.004</izz><ixz>0.001</ixz></inertia></inertial>"
)


def _pose(pin: str, pitch: float = 0.0) -> str:
    x, z = PINS[pin]
    return f"{x} 0.2 {z} 0 {pitch} 0"


_LINKS = f"""
    <link name="ground"><pose>0.1 0.2 0.3 0 0 0</pose>{INERTIAL.format(mass=5)}</link>
    <link name="crank"><pose>{_pose("A", 0.3)}</pose>{INERTIAL.format(mass=1)}<collision name="c"/></link>
    <link name="rod"><pose>{_pose("B", -0.4)}</pose>{INERTIAL.format(mass=2)}</link>"""

SDF: dict[str, str] = {}
"""Models in SDF by name; each is the same linkage."""

SDF["four-bar"] = f"""<?xml version="1.0"?>
<sdf version="1.9"><world name="shop"><gravity>0 0 -9.81</gravity>
  <model name="linkage"><pose>1 2 3 0 0 0.7</pose>{_LINKS}
    <link name="rocker"><pose>{_pose("D", 0.1)}</pose>{INERTIAL.format(mass=1.5)}</link>
    <frame name="pin C"><pose relative_to="__model__">{_pose("C")}</pose></frame>
    <joint name="hold" type="fixed"><parent>world</parent><child>ground</child></joint>
    <joint name="A" type="revolute"><parent>ground</parent><child>crank</child>
      <axis><xyz expressed_in="__model__">0 1 0</xyz>
        <dynamics><damping>0.2</damping><friction>0.1</friction></dynamics></axis></joint>
    <joint name="B" type="revolute"><parent>crank</parent><child>rod</child><axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="C" type="revolute"><pose relative_to="pin C"/><parent>rod</parent><child>rocker</child>
      <axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="D" type="revolute"><parent>rocker</parent><child>ground</child>
      <pose relative_to="__model__">{_pose("D")}</pose>
      <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1.2</upper></limit></axis></joint>
  </model></world></sdf>"""

_PX, _PZ = (PINS["C"][k] - PINS["D"][k] for k in (0, 1))
SDF["split"] = f"""<sdf version="1.6"><model name="linkage">{_LINKS}
    <link name="rocker"><pose>{_pose("D")}</pose>{INERTIAL.format(mass=1)}</link>
    <link name="half"><pose>{_pose("D")}</pose>{INERTIAL.format(mass=0.5)}</link>
    <joint name="hold" type="fixed"><parent>world</parent><child>ground</child></joint>
    <joint name="A" type="revolute"><parent>ground</parent><child>crank</child>
      <axis><xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame></axis></joint>
    <joint name="B" type="revolute"><parent>crank</parent><child>rod</child><axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="C" type="revolute"><parent>rod</parent><child>half</child><pose>{_PX} 0 {_PZ} 0 0 0</pose>
      <axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="D" type="revolute"><parent>ground</parent><child>rocker</child><axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="joined" type="fixed"><parent>rocker</parent><child>half</child></joint>
  </model></sdf>"""

SDF["bushing"] = f"""<sdf version="1.8"><model name="linkage" xmlns:drake="drake.mit.edu">{_LINKS}
    <link name="rocker"><pose>{_pose("D")}</pose>{INERTIAL.format(mass=1.5)}</link>
    <frame name="rod end" attached_to="rod"><pose relative_to="__model__">{_pose("C")[:-7]}1.570796326794897 0 0</pose>
    </frame>
    <frame name="rocker end" attached_to="rocker"><pose>{_PX} 0.1 {_PZ} 1.570796326794897 0 0</pose></frame>
    <joint name="hold" type="fixed"><parent>world</parent><child>ground</child></joint>
    <joint name="A" type="revolute"><parent>ground</parent><child>crank</child>
      <axis><xyz>0 1 0</xyz><initial_position>0.2</initial_position></axis></joint>
    <joint name="B" type="revolute"><parent>crank</parent><child>rod</child><axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="D" type="revolute"><parent>ground</parent><child>rocker</child>
      <axis><xyz>0 1 0</xyz><initial_position>-0.1</initial_position></axis></joint>
    <drake:linear_bushing_rpy><drake:bushing_frameA>rod end</drake:bushing_frameA></drake:linear_bushing_rpy>
  </model></sdf>"""

LOOPS = """loops = [{ name = "C", type = "connect", frames = ["rod end", "rocker end"] }]"""
"""The loop of the model with a bushing."""


def _urdf(loop: str, rod: float = 0.0) -> str:
    """The linkage as a tree; `rod` turns the rod away from where the loop is closed, rad."""
    mass = (
        '<inertial><origin xyz="0.1 0 0.05" rpy="0 0.2 0"/><mass value="1"/>'
        '<inertia ixx="0.01" iyy="0.012" izz="0.004" ixy="0" ixz="0.001" iyz="0"/></inertial>'
    )
    links = "".join(f'<link name="{name}">{mass}</link>' for name in ("ground", "crank", "rod", "rocker", "disc"))
    b = np.subtract(PINS["B"], PINS["A"])
    return f"""<robot name="linkage">{links}
  <joint name="A" type="continuous"><parent link="ground"/><child link="crank"/><axis xyz="0 1 0"/>
    <origin xyz="{PINS["A"][0]} 0.2 {PINS["A"][1]}" rpy="0 0 0"/><dynamics damping="0.2" friction="0.1"/></joint>
  <joint name="B" type="revolute"><parent link="crank"/><child link="rod"/><axis xyz="0 1 0"/>
    <origin xyz="{b[0]} 0 {b[1]}" rpy="0 {rod} 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="D" type="continuous"><parent link="ground"/><child link="rocker"/><axis xyz="0 1 0"/>
    <origin xyz="{PINS["D"][0]} 0.2 {PINS["D"][1]}"/></joint>
  <joint name="E" type="continuous"><parent link="ground"/><child link="disc"/><axis xyz="0 0 2"/>
    <origin xyz="0 1 0"/><mimic joint="D" multiplier="2" offset="0.1"/></joint>
  <transmission name="t"><type>simple</type><joint name="A"/></transmission>
  {loop}</robot>"""


_CX, _CZ = (PINS["C"][k] - PINS["B"][k] for k in (0, 1))
URDF: dict[str, str] = {
    "gazebo joint": _urdf(
        f'<gazebo><joint name="C" type="revolute"><parent>rod</parent><child>rocker</child>'
        f"<pose>{_PX} 0 {_PZ} 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint></gazebo>"
    ),
    "loop joint": _urdf(
        f'<loop_joint name="C" type="spherical"><link1 link="rod" xyz="{_CX} 0 {_CZ}" rpy="0 0 0"/>'
        f'<link1 link="rocker" xyz="{_PX} 0 {_PZ}" rpy="0 0 0"/></loop_joint>',
        rod=0.12,
    ),
    "loop of origins": _urdf(
        f'<loop_joint name="C" type="revolute"><parent link="rod"/><child link="rocker"/><axis xyz="0 1 0"/>'
        f'<parent_origin xyz="{_CX} 0 {_CZ}"/><child_origin xyz="{_PX} 0 {_PZ}"/></loop_joint>',
        rod=-0.1,
    ),
}
"""Models in URDF by name."""
