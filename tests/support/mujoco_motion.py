"""The motion of MJCF models by MuJoCo, which shares no code with what it checks.

A model is placed by Newton's method on MuJoCo's own residuals and Jacobian of equalities, with the driven coordinates
prescribed; velocities and accelerations follow from the same Jacobian and its change along the velocity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STENCIL = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0.0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
"""Central differences of order eight."""

STEP = 2e-3
"""Their step, s, along velocities of about one."""


@dataclass
class MuJoCoMotion:
    """Poses (n, bodies, …), their rates, and forces (n, drivers) of driven joints."""

    positions: Array
    rotations: Array
    velocities: Array
    forces: Array
    qpos: Array


class Model:
    """A model whose coordinates are found by Newton's method."""

    def __init__(self, text: str, keyframe: int | None = None, assets: Mapping[str, bytes] | None = None):
        self.model = mujoco.MjModel.from_xml_string(text, dict(assets or {}))
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
        self.model.dof_frictionloss[:] = 0.0
        self.data = mujoco.MjData(self.model)
        self.qpos = self.model.qpos0.copy() if keyframe is None else self.model.key_qpos[keyframe].copy()

    def dof(self, joint: str) -> int:
        return int(self.model.jnt_dofadr[self.model.joint(joint).id])

    def _equations(self, qpos: Array) -> tuple[Array, Array]:
        """Residuals and Jacobian of the equalities."""
        self.data.qpos[:], self.data.qvel[:] = qpos, 0.0
        mujoco.mj_fwdPosition(self.model, self.data)
        n = self.data.ne
        if not n:
            return np.zeros(0), np.zeros((0, self.model.nv))
        full = np.zeros((self.data.nefc, self.model.nv))
        if mujoco.mj_isSparse(self.model):
            mujoco.mju_sparse2dense(
                full, self.data.efc_J, self.data.efc_J_rownnz, self.data.efc_J_rowadr, self.data.efc_J_colind
            )
        else:
            full = np.array(self.data.efc_J).reshape(-1, self.model.nv)
        return self.data.efc_pos[:n].copy(), full[:n].copy()

    def place(self, driven: Mapping[str, float]) -> None:
        """Find the coordinates at which equalities hold and driven joints have their values."""
        names = list(driven)
        for _ in range(60):
            r, J = self._equations(self.qpos)
            rows = np.zeros((len(names), self.model.nv))
            away = np.zeros(len(names))
            for k, name in enumerate(names):
                rows[k, self.dof(name)] = 1.0
                away[k] = self.qpos[self.model.jnt_qposadr[self.model.joint(name).id]] - driven[name]
            left = np.concatenate([r, away])
            step = np.linalg.lstsq(np.vstack([J, rows]), -left, rcond=1e-10)[0]
            mujoco.mj_integratePos(self.model, self.qpos, step, 1.0)
            if np.abs(step).max() < 1e-15:
                break
        assert np.abs(self._equations(self.qpos)[0]).max(initial=0.0) < 1e-11

    def positions(self) -> Array:
        """Positions (bodies, 3) where the coordinates are."""
        self.data.qpos[:] = self.qpos
        mujoco.mj_kinematics(self.model, self.data)
        return np.array(self.data.xpos)

    def rates(self, driven: Sequence[str]) -> Array:
        """Velocities of all degrees of freedom by unit rates of driven ones, (v, drivers)."""
        _, J = self._equations(self.qpos)
        rows = np.zeros((len(driven), self.model.nv))
        for k, name in enumerate(driven):
            rows[k, self.dof(name)] = 1.0
        whole = np.vstack([J, rows])
        units = np.vstack([np.zeros((len(J), len(driven))), np.eye(len(driven))])
        return np.linalg.lstsq(whole, units, rcond=1e-10)[0]

    def accelerations(self, driven: Sequence[str], v: Array, wanted: Array) -> Array:
        """Accelerations (v,) with those of driven ones: J a = -(dJ/dt) v."""
        change = np.zeros(len(self._equations(self.qpos)[0]))
        for k, weight in zip(range(-4, 5), STENCIL, strict=True):
            qpos = self.qpos.copy()
            mujoco.mj_integratePos(self.model, qpos, v, k * STEP)
            change += weight * (self._equations(qpos)[1] @ v)
        _, J = self._equations(self.qpos)
        rows = np.zeros((len(driven), self.model.nv))
        for k, name in enumerate(driven):
            rows[k, self.dof(name)] = 1.0
        return np.linalg.lstsq(np.vstack([J, rows]), np.concatenate([-change / STEP, wanted]), rcond=1e-10)[0]

    def forces(self, v: Array, a: Array) -> Array:
        """Forces (v,) that the open tree needs."""
        self.data.qpos[:], self.data.qvel[:], self.data.qacc[:] = self.qpos, v, a
        before = self.model.opt.disableflags
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        mujoco.mj_inverse(self.model, self.data)
        self.model.opt.disableflags = before
        return self.data.qfrc_inverse.copy()


def mujoco_motion(model: Model, laws: Mapping[str, Any], times: Array) -> MuJoCoMotion:
    """Move a model by laws of joints, from where its coordinates are."""
    names, n = list(laws), len(times)
    values = np.array([law.at(times) for law in laws.values()])  # value, rate, acceleration
    found = MuJoCoMotion(
        np.zeros((n, model.model.nbody, 3)),
        np.zeros((n, model.model.nbody, 3, 3)),
        np.zeros((n, model.model.nbody, 3)),
        np.zeros((n, len(names))),
        np.zeros((n, model.model.nq)),
    )
    for k in range(n):
        model.place({name: values[i, 0, k] for i, name in enumerate(names)})
        rates = model.rates(names)
        v = rates @ values[:, 1, k]
        a = model.accelerations(names, v, values[:, 2, k])
        found.forces[k] = rates.T @ model.forces(v, a)
        data = model.data
        data.qpos[:], data.qvel[:] = model.qpos, v
        mujoco.mj_fwdPosition(model.model, data)
        mujoco.mj_fwdVelocity(model.model, data)
        found.positions[k], found.rotations[k] = data.xpos, data.xmat.reshape(-1, 3, 3)
        for body in range(model.model.nbody):
            twist = np.zeros(6)
            mujoco.mj_objectVelocity(model.model, data, mujoco.mjtObj.mjOBJ_XBODY, body, twist, 0)
            found.velocities[k, body] = twist[3:]
        found.qpos[k] = model.qpos
    return found
