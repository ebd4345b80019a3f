"""The limit: the motion of a Stewart platform as a loop written by hand for this mechanism and this geometry.

Drivers are harmonic; legs have S joints at the frame and U joints with axes perpendicular to each other and the leg.
Written are the rows that a program keeps: of the platform a point and three directions, of every leg three directions,
each with velocity and acceleration. A leg's point on the platform follows from these.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numba import njit

import groupkin as gk


@njit(cache=True, error_model="numpy")
def by_hand(times, laws, legs, out_q, out_v, out_a, rows):
    """The same rows, for legs whose U axes are perpendicular to each other and to the leg."""
    block = 512
    value, rate, gain = np.zeros((6, block)), np.zeros((6, block)), np.zeros((6, block))
    turn, spin, rise = np.zeros((9, block)), np.zeros((3, block)), np.zeros((3, block))
    for lo in range(0, times.size, block):
        n = min(block, times.size - lo)
        _platform(times[lo : lo + n], laws, value, rate, gain, turn, spin, rise)
        for k in range(12):
            _platform_row(k, rows[0], value, rate, gain, turn, spin, rise, out_q, out_v, out_a, lo, n)
        for leg in range(6):
            _leg(legs[leg], rows[1 + leg], value, rate, gain, turn, spin, rise, out_q, out_v, out_a, lo, n)


@njit(cache=True, error_model="numpy")
def _platform(times, laws, value, rate, gain, turn, spin, rise):
    for k in range(6):
        amplitude, omega, phase, offset = laws[k]
        for j in range(times.size):
            s, c = math.sin(omega * times[j] + phase), math.cos(omega * times[j] + phase)
            value[k, j] = offset + amplitude * s
            rate[k, j] = amplitude * omega * c
            gain[k, j] = -amplitude * omega * omega * s
    for j in range(times.size):
        sa, ca = math.sin(value[3, j]), math.cos(value[3, j])
        sb, cb = math.sin(value[4, j]), math.cos(value[4, j])
        sg, cg = math.sin(value[5, j]), math.cos(value[5, j])
        turn[0, j], turn[1, j], turn[2, j] = cb * cg, -cb * sg, sb
        turn[3, j], turn[4, j], turn[5, j] = sa * sb * cg + ca * sg, ca * cg - sa * sb * sg, -sa * cb
        turn[6, j], turn[7, j], turn[8, j] = sa * sg - ca * sb * cg, ca * sb * sg + sa * cg, ca * cb
        da, db, dg = rate[3, j], rate[4, j], rate[5, j]
        # Rx(α) Ry(β) Rz(γ): ω = α' x + β' y' + γ' z''
        spin[0, j] = da + sb * dg
        spin[1, j] = ca * db - sa * cb * dg
        spin[2, j] = sa * db + ca * cb * dg
        rise[0, j] = gain[3, j] + sb * gain[5, j] + cb * db * dg
        rise[1, j] = ca * gain[4, j] - sa * cb * gain[5, j] - sa * da * db - (ca * cb * da - sa * sb * db) * dg
        rise[2, j] = sa * gain[4, j] + ca * cb * gain[5, j] + ca * da * db - (sa * cb * da + ca * sb * db) * dg


@njit(cache=True, error_model="numpy")
def _platform_row(k, row, value, rate, gain, turn, spin, rise, out_q, out_v, out_a, lo, n):
    q, v, a = out_q[row + k, lo : lo + n], out_v[row + k, lo : lo + n], out_a[row + k, lo : lo + n]
    if k < 3:
        q[:], v[:], a[:] = value[k, :n], rate[k, :n], gain[k, :n]
        return
    column, i = k // 3 - 1, k % 3
    s, t = (i + 1) % 3, (i + 2) % 3
    ei, es, et = turn[3 * i + column], turn[3 * s + column], turn[3 * t + column]
    wi, ws, wt, gs, gt = spin[i], spin[s], spin[t], rise[s], rise[t]
    for j in range(n):
        along = wi[j] * ei[j] + ws[j] * es[j] + wt[j] * et[j]
        square = wi[j] * wi[j] + ws[j] * ws[j] + wt[j] * wt[j]
        q[j] = ei[j]
        v[j] = ws[j] * et[j] - wt[j] * es[j]
        a[j] = gs[j] * et[j] - gt[j] * es[j] + wi[j] * along - square * ei[j]


@njit(cache=True, error_model="numpy", inline="always")
def _cross(ux, uy, uz, wx, wy, wz):
    return uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx


@njit(cache=True, error_model="numpy", inline="always")
def _turned(turn, j, x, y, z):
    return (
        turn[0, j] * x + turn[1, j] * y + turn[2, j] * z,
        turn[3, j] * x + turn[4, j] * y + turn[5, j] * z,
        turn[6, j] * x + turn[7, j] * y + turn[8, j] * z,
    )


@njit(cache=True, error_model="numpy", inline="always")
def _put(out, row, j, x, y, z):
    out[row, j] = x
    out[row + 1, j] = y
    out[row + 2, j] = z


@njit(cache=True, error_model="numpy")
def _leg(leg, row, value, rate, gain, turn, spin, rise, out_q, out_v, out_a, lo, n):
    sx, sy, sz, px, py, pz, ax, ay, az, mode, side = leg
    for j in range(n):
        o = lo + j
        wx, wy, wz, gx, gy, gz = spin[0, j], spin[1, j], spin[2, j], rise[0, j], rise[1, j], rise[2, j]
        # the leg's upper point: r, ω × r, α × r + ω × (ω × r)
        rx, ry, rz = _turned(turn, j, px, py, pz)
        drx, dry, drz = _cross(wx, wy, wz, rx, ry, rz)
        hx, hy, hz = _cross(gx, gy, gz, rx, ry, rz)
        kx, ky, kz = _cross(wx, wy, wz, drx, dry, drz)
        ux, uy, uz = value[0, j] + rx, value[1, j] + ry, value[2, j] + rz
        dux, duy, duz = rate[0, j] + drx, rate[1, j] + dry, rate[2, j] + drz
        ddux, dduy, dduz = gain[0, j] + hx + kx, gain[1, j] + hy + ky, gain[2, j] + hz + kz
        # the unit vector m along the leg, from the platform down
        lx, ly, lz = side * (sx - ux), side * (sy - uy), side * (sz - uz)
        one = 1.0 / math.sqrt(lx * lx + ly * ly + lz * lz)
        mx, my, mz = lx * one, ly * one, lz * one
        dlx, dly, dlz = -side * dux, -side * duy, -side * duz
        dt = mx * dlx + my * dly + mz * dlz
        dmx, dmy, dmz = (dlx - dt * mx) * one, (dly - dt * my) * one, (dlz - dt * mz) * one
        ddlx, ddly, ddlz = -side * ddux, -side * dduy, -side * dduz
        ddt = mx * ddlx + my * ddly + mz * ddlz + dmx * dlx + dmy * dly + dmz * dlz
        ddmx = (ddlx - ddt * mx - 2.0 * dt * dmx) * one
        ddmy = (ddly - ddt * my - 2.0 * dt * dmy) * one
        ddmz = (ddlz - ddt * mz - 2.0 * dt * dmz) * one
        # the second axis n of the U joint: along e × m
        ex, ey, ez = _turned(turn, j, ax, ay, az)
        dex, dey, dez = _cross(wx, wy, wz, ex, ey, ez)
        hx, hy, hz = _cross(gx, gy, gz, ex, ey, ez)
        kx, ky, kz = _cross(wx, wy, wz, dex, dey, dez)
        ddex, ddey, ddez = hx + kx, hy + ky, hz + kz
        cx, cy, cz = _cross(ex, ey, ez, mx, my, mz)
        one = mode / math.sqrt(cx * cx + cy * cy + cz * cz)
        nx, ny, nz = cx * one, cy * one, cz * one
        hx, hy, hz = _cross(dex, dey, dez, mx, my, mz)
        kx, ky, kz = _cross(ex, ey, ez, dmx, dmy, dmz)
        dcx, dcy, dcz = (hx + kx) * one, (hy + ky) * one, (hz + kz) * one
        dt = nx * dcx + ny * dcy + nz * dcz
        dnx, dny, dnz = dcx - dt * nx, dcy - dt * ny, dcz - dt * nz
        hx, hy, hz = _cross(ddex, ddey, ddez, mx, my, mz)
        kx, ky, kz = _cross(dex, dey, dez, dmx, dmy, dmz)
        fx, fy, fz = _cross(ex, ey, ez, ddmx, ddmy, ddmz)
        ddcx, ddcy, ddcz = (hx + 2.0 * kx + fx) * one, (hy + 2.0 * ky + fy) * one, (hz + 2.0 * kz + fz) * one
        ddt = nx * ddcx + ny * ddcy + nz * ddcz + dnx * dcx + dny * dcy + dnz * dcz
        ddnx, ddny, ddnz = (
            ddcx - ddt * nx - 2.0 * dt * dnx,
            ddcy - ddt * ny - 2.0 * dt * dny,
            ddcz - ddt * nz - 2.0 * dt * dnz,
        )
        # the third direction k = n × m
        hx, hy, hz = _cross(nx, ny, nz, mx, my, mz)
        _put(out_q, row, o, nx, ny, nz)
        _put(out_q, row + 3, o, mx, my, mz)
        _put(out_q, row + 6, o, hx, hy, hz)
        hx, hy, hz = _cross(dnx, dny, dnz, mx, my, mz)
        kx, ky, kz = _cross(nx, ny, nz, dmx, dmy, dmz)
        _put(out_v, row, o, dnx, dny, dnz)
        _put(out_v, row + 3, o, dmx, dmy, dmz)
        _put(out_v, row + 6, o, hx + kx, hy + ky, hz + kz)
        hx, hy, hz = _cross(ddnx, ddny, ddnz, mx, my, mz)
        kx, ky, kz = _cross(dnx, dny, dnz, dmx, dmy, dmz)
        fx, fy, fz = _cross(nx, ny, nz, ddmx, ddmy, ddmz)
        _put(out_a, row, o, ddnx, ddny, ddnz)
        _put(out_a, row + 3, o, ddmx, ddmy, ddmz)
        _put(out_a, row + 6, o, hx + 2.0 * kx + fx, hy + 2.0 * ky + fy, hz + 2.0 * kz + fz)


def hand_written(program: gk.Program, times: np.ndarray) -> tuple[Callable[[], None], list[np.ndarray], list[str]]:
    """The loop with this mechanism's numbers, its output, and the bodies that carry the upper ends of the legs."""
    joints, geometry = program.mechanism.joints, program.geometry
    laws = [(d.law.amplitude, 2 * np.pi * d.law.frequency, d.law.phase, d.law.offset) for d in program.drivers]
    center = geometry.joints[next(joint.name for joint in joints if joint.type == "F")].points[1]
    universals = [joint for joint in joints if joint.type == "U"]
    balls = [joint for joint in joints if joint.type == "S"]
    constants = [step.constants for step in program.calls if step.constants.size == 8]
    legs, uppers = [], []
    for universal, ball, (side, mode, c1, c2, c3, s1, _, cos) in zip(universals, balls, constants, strict=True):
        if max(map(abs, (c1, c2, c3, s1, cos))) > 1e-12:
            raise SystemExit("the hand-written loop knows legs without offsets only")
        own = universal.bodies.index("platform")
        joint = geometry.joints[universal.name]
        lower = geometry.joints[ball.name].points[0]
        legs.append([*lower, *(joint.points[own] - center), *joint.frames[own][:, 2], mode * side, side])
        uppers.append(universal.bodies[1 - own])
    out = [np.zeros((66, times.size + 16))[:, : times.size] for _ in range(3)]
    arguments = (times, np.array(laws), np.array(legs), *out, np.array([0, *range(12, 66, 9)]))
    return lambda: by_hand(*arguments), out, uppers


def distance(motion: gk.Motion, out: list[np.ndarray], uppers: list[str]) -> float:
    """Largest difference of the legs' rows between a motion and the hand-written loop."""
    worst = 0.0
    for leg, body in enumerate(uppers):
        for part, first in enumerate(motion.program.poses[body].vectors):
            here, there = 12 + 9 * leg + 3 * part, int(np.searchsorted(motion.program.kept, first))
            for x, y in zip(out, (motion.q, motion.v, motion.a), strict=True):
                worst = max(worst, float(np.abs(x[here : here + 3] - y[there : there + 3]).max()))
    return worst
