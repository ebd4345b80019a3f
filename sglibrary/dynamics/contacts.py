"""Contacts of circles and curves with curves in the plane: where they touch, how deep, and what they do.

Places where two curves touch are those at which one is deeper in the other than beside. They are looked for along the
second curve, between any two of its ends of pieces between which its depth begins to fall; so two such places within
one piece are one. An end of a curve that is not closed is a corner, which touches the other curve as a point. A circle
touches a curve at its nearest point, and where other points of it are nearer than those beside and within the circle.
"""

import math

from sglibrary.convention import allocating, formula, kernel
from sglibrary.dynamics.curves import (
    CLOSED,
    COUNT,
    LONGEST,
    MIDDLE_X,
    MIDDLE_Y,
    RADIUS,
    SAG,
    SIDE,
    foot,
    nearest_end,
    nearest_point,
    node,
    on_curve,
    on_piece,
    piece_end,
)
from sglibrary.dynamics.pulls import push
from sglibrary.tolerances import CONTACT_ROUNDING, SAME_PLACE

MOST = 8
"""Places at most at which two bodies touch."""

HALVINGS = 60
"""At most, of the piece of a curve in which a place is."""


@kernel
def find_contacts(curves, first, second, radius, pose, reach, out):
    """Find where a circle or a curve touches a curve.

    Parameters
    ----------
    curves : (m,) array
    first, second : int
        Where the curves begin; the second is -1 of a circle.
    radius : float
        Of the circle, m.
    pose : (float, float, float, float)
        Cosine and sine of the angle of the second body in the axes of the first, and of a circle its center, of a curve
        the origin of its body there, m.
    reach : float
        Of curves that do not touch, the gap up to which the nearest place is found, m.
    out : (MOST + 1, 5) array
        Filled: of every place a point between both, the unit normal along which the second body is pushed, and the gap,
        which is negative. The last row is that of the smallest gap of all, also one that is not negative.

    Returns
    -------
    int
        The number of places.
    """
    out[MOST, 4] = math.inf
    if second < 0:
        return _of_circle(curves, first, pose[2], pose[3], radius, out)
    return _of_curves(curves, first, second, pose, reach, out)


@kernel
def _note(px, py, nx, ny, gap, count, out):
    """Write a place down; the number of those that touch."""
    if gap < out[MOST, 4]:
        _write(px, py, nx, ny, gap, out[MOST])
    if gap < 0.0 and count < MOST:
        _write(px, py, nx, ny, gap, out[count])
        return count + 1
    return count


@kernel
def _write(px, py, nx, ny, gap, out):
    out[0], out[1], out[2], out[3], out[4] = px, py, nx, ny, gap


# --- a circle ------------------------------------------------------------------------------------


@kernel
def _of_circle(curves, place, x, y, radius, out):
    u, sx, sy, nx, ny, far, _ = foot(curves, place, x, y)
    found = _note(sx, sy, nx, ny, far - radius, 0, out)
    if not 0.0 < far < radius:
        return found
    count, closed = int(curves[place + COUNT]), curves[place + CLOSED] != 0.0
    before = start = 0.0
    within, fx, fy = radius + curves[place + LONGEST], sx, sy
    for k in range(count + 1):
        here = piece_end(curves, place, k)
        sx, sy, tx, ty = node(curves, place, count, k)
        if (sx - x) * (sx - x) + (sy - y) * (sy - y) > within * within:
            before = 0.0
            continue
        rising = start if closed and k == count else (sx - x) * tx + (sy - y) * ty
        start = rising if k == 0 else start
        if before < 0.0 <= rising:
            found = _beside(curves, place, k - 1, x, y, radius, fx, fy, found, out)
        corner = (k == 0 and rising >= 0.0) or (k == count and rising <= 0.0)
        if corner and not closed and u != here:
            far = math.sqrt((sx - x) * (sx - x) + (sy - y) * (sy - y))
            found = _note(sx, sy, (x - sx) / far, (y - sy) / far, far - radius, found, out)
        before = rising
    return found


@kernel
def _beside(curves, place, k, x, y, radius, fx, fy, found, out):
    """A point on piece k that is nearer to the center of a circle than those beside it, unless it is the nearest."""
    low, high, longest = piece_end(curves, place, k), piece_end(curves, place, k + 1), curves[place + LONGEST]
    u = 0.5 * (low + high)
    for _ in range(HALVINGS):
        sx, sy, tx, ty, bx, by = on_piece(curves, place, k, u)
        rising = (sx - x) * tx + (sy - y) * ty
        if rising < 0.0:
            low = u
        else:
            high = u
        after = u - rising / (tx * tx + ty * ty + (sx - x) * bx + (sy - y) * by)
        if math.fabs(after - u) <= CONTACT_ROUNDING * (math.fabs(u) + longest):
            break
        u = after if low < after < high else 0.5 * (low + high)
    share = curves[place + SIDE] / math.sqrt(tx * tx + ty * ty)
    nx, ny = -share * ty, share * tx
    far, apart = nx * (x - sx) + ny * (y - sy), max(math.fabs(sx - fx), math.fabs(sy - fy))
    other = 0.0 < far < radius and apart > SAME_PLACE * longest
    return _note(sx, sy, nx, ny, far - radius, found, out) if other else found


# --- two curves ----------------------------------------------------------------------------------


@kernel
def _of_curves(curves, first, second, pose, reach, out):
    """Walk along the second curve, and find how deep it is in the first."""
    low, high = _range(curves, first, second, pose, reach)
    if low > high:
        return 0
    count, found, before, start = int(curves[second + COUNT]), 0, math.nan, math.nan
    closed = curves[second + CLOSED] != 0.0
    clear = reach + curves[first + SAG] + curves[second + LONGEST]
    for k in range(count + 1):
        here = piece_end(curves, second, k)
        sx, sy, _, _ = node(curves, second, count, k)
        x, y = _turned(pose, sx, sy)
        nearest, _ = nearest_end(curves, first, low, high, x + pose[2], y + pose[3])
        if _clear(curves, first, nearest, x + pose[2], y + pose[3]) > clear:
            before = math.nan
            continue
        deep = _depth(curves, first, second, pose, here, nearest)
        falling = start if closed and k == count else deep[7]
        start = falling if k == 0 else start
        if before < 0.0 <= falling:
            found = _deepest(curves, first, second, pose, k - 1, nearest, found, out)
        corner = (k == 0 and falling >= 0.0) or (k == count and falling <= 0.0)
        if corner and not closed and deep[6] == 0.0:
            found = _halfway(deep, 1.0, found, out)
        before = falling
    if curves[first + CLOSED] == 0.0:
        found = _corner(curves, first, second, pose, 0, found, out)
        found = _corner(curves, first, second, pose, int(curves[first + COUNT]), found, out)
    return found


@kernel
def _turned(pose, x, y):
    """Turn a direction of the second body into the axes of the first."""
    return pose[0] * x - pose[1] * y, pose[1] * x + pose[0] * y


@kernel
def _range(curves, first, second, pose, reach):
    """The ends of pieces of the first curve that may be nearest to points of the second; none if these are clear."""
    mx, my = _turned(pose, curves[second + MIDDLE_X], curves[second + MIDDLE_Y])
    mx, my, size, count = mx + pose[2], my + pose[3], curves[second + RADIUS], int(curves[first + COUNT])
    ax, ay = mx - curves[first + MIDDLE_X], my - curves[first + MIDDLE_Y]
    nearest, least = nearest_end(curves, first, 0, count, mx, my)
    if _clear(curves, first, nearest, mx, my) > 0.0:  # outside, or beyond an end
        apart = math.sqrt(ax * ax + ay * ay) - curves[first + RADIUS] - size
        if max(apart, math.sqrt(least) - curves[first + LONGEST] - size) > reach:
            return 1, 0
    within = (math.sqrt(least) + 2.0 * size) * (math.sqrt(least) + 2.0 * size)
    low, high = nearest, nearest
    for k in range(count + 1):
        sx, sy, _, _ = node(curves, first, count, k)
        if (mx - sx) * (mx - sx) + (my - sy) * (my - sy) <= within:
            low, high = min(low, k), max(high, k)
    return low, high


@kernel
def _clear(curves, place, k, x, y):
    """How far (x, y) is in front of the tangent at end number k of the pieces of a curve."""
    sx, sy, tx, ty = node(curves, place, int(curves[place + COUNT]), k)
    return curves[place + SIDE] * (tx * (y - sy) - ty * (x - sx))


@kernel
def _depth(curves, first, second, pose, w, nearest):
    """Where a point of the second curve is in the first one.

    Returns
    -------
    tuple of 9 floats
        The point; the nearest one's normal; how far the point is along it; the nearest one's parameter, whether it is
        an end; how that distance grows by the parameter w, and how that grows.
    """
    sx, sy, tx, ty, bx, by = on_curve(curves, second, w)
    x, y = _turned(pose, sx, sy)
    x, y = x + pose[2], y + pose[3]
    tx, ty = _turned(pose, tx, ty)
    bx, by = _turned(pose, bx, by)
    u, fx, fy, nx, ny, far, beyond = nearest_point(curves, first, nearest, x, y)
    _, _, ux, uy, cx, cy = on_curve(curves, first, u)
    square = ux * ux + uy * uy
    along = (tx * ux + ty * uy) / (square - ((x - fx) * cx + (y - fy) * cy))  # how u follows w
    turn = (ux * cy - uy * cx) / square * along  # of the normal
    return x, y, nx, ny, far, u, beyond, nx * tx + ny * ty, nx * bx + ny * by + turn * (nx * ty - ny * tx)


@kernel
def _deepest(curves, first, second, pose, k, nearest, found, out):
    """The place on piece k of the second curve at which it is deepest in the first, or nearest to it."""
    low, high, longest = piece_end(curves, second, k), piece_end(curves, second, k + 1), curves[second + LONGEST]
    w = 0.5 * (low + high)
    for _ in range(HALVINGS):
        sx, sy, tx, ty, _, _ = on_piece(curves, second, k, w)
        x, y = _turned(pose, sx, sy)
        nearest = _still_nearest(curves, first, nearest, x + pose[2], y + pose[3])
        deep = _depth(curves, first, second, pose, w, nearest)
        if deep[7] < 0.0:
            low = w
        else:
            high = w
        after = w - deep[7] / deep[8] if deep[8] > 0.0 else low
        if math.fabs(after - w) <= CONTACT_ROUNDING * (math.fabs(w) + longest):
            break
        w = after if low < after < high else 0.5 * (low + high)
    tx, ty = _turned(pose, tx, ty)
    facing = curves[second + SIDE] * (tx * deep[3] - ty * deep[2])  # of the normal of the second curve
    return _halfway(deep, 1.0, found, out) if deep[6] == 0.0 and facing < 0.0 else found


@kernel
def _still_nearest(curves, place, nearest, x, y):
    """Go from an end of pieces of a curve to its neighbors while these are nearer to (x, y)."""
    count, closed = int(curves[place + COUNT]), curves[place + CLOSED] != 0.0
    sx, sy, _, _ = node(curves, place, count, nearest)
    least = (x - sx) * (x - sx) + (y - sy) * (y - sy)
    for _ in range(count):
        best = nearest
        for k in (nearest - 1, nearest + 1):
            k = k % count if closed else min(max(k, 0), count)
            sx, sy, _, _ = node(curves, place, count, k)
            square = (x - sx) * (x - sx) + (y - sy) * (y - sy)
            if square < least:
                best, least = k, square
        if best == nearest:
            break
        nearest = best
    return nearest


@kernel
def _halfway(deep, sign, found, out):
    """Note the place in the middle between a point and the nearest one of a curve."""
    x, y, nx, ny, far = deep[0], deep[1], deep[2], deep[3], deep[4]
    return _note(x - 0.5 * far * nx, y - 0.5 * far * ny, sign * nx, sign * ny, far, found, out)


@kernel
def _corner(curves, first, second, pose, k, found, out):
    """The end of the first curve that is deeper in the second than the curve beside it."""
    sx, sy, tx, ty = node(curves, first, int(curves[first + COUNT]), k)
    x, y = pose[0] * (sx - pose[2]) + pose[1] * (sy - pose[3]), pose[0] * (sy - pose[3]) - pose[1] * (sx - pose[2])
    _, _, _, nx, ny, far, beyond = foot(curves, second, x, y)
    nx, ny = _turned(pose, nx, ny)
    rising = nx * tx + ny * ty
    if beyond == 0.0 and (rising >= 0.0 if k == 0 else rising <= 0.0):
        return _halfway((sx, sy, nx, ny, far), -1.0, found, out)
    return found


@kernel
def _apart(curves, first, second, pose):
    """Distance of two curves at most."""
    least, count = math.inf, int(curves[second + COUNT])
    for k in range(count + 1):
        sx, sy, _, _ = node(curves, second, count, k)
        x, y = _turned(pose, sx, sy)
        _, square = nearest_end(curves, first, 0, int(curves[first + COUNT]), x + pose[2], y + pose[3])
        least = min(least, square)
    return math.sqrt(least)


# --- along a motion, and in the equations of motion -----------------------------------------------


@allocating
def contacts_along(curves, first, second, radius, pose, out, counts):
    """Find contacts at all steps, and the smallest gap where there are none.

    `pose` (4, n) is as `find_contacts` takes it; `out` (n, MOST + 1, 5) and `counts` (n,) are filled.
    """
    for j in range(counts.size):
        at = pose[0, j], pose[1, j], pose[2, j], pose[3, j]
        if math.isfinite(at[0] + at[2] + at[3]):
            counts[j] = find_contacts(curves, first, second, radius, at, 0.0, out[j])
            if counts[j] == 0 and second >= 0:
                find_contacts(curves, first, second, radius, at, _apart(curves, first, second, at), out[j])
        else:
            counts[j] = 0
            out[j, MOST] = math.nan


@formula
def elastic(numbers, depth):
    """Elastic force (N) of a contact by its depth (m), as Hertz has it; numbers begin with stiffness and exponent."""
    return numbers[0] * depth ** numbers[1]


@formula
def push_and_rub(numbers, undamped, apart, along):
    """Normal force (N) and friction (N) of a contact by its elastic force and rates (m/s); Hunt and Crossley 1975.

    The numbers are stiffness, exponent, damping, one that is not used, coefficient of friction and its speed.
    """
    normal = push(undamped, numbers[2], apart)
    return normal, -numbers[4] * normal * along / math.sqrt(along * along + numbers[5] * numbers[5])


@kernel
def add_contact(q, v, rows, numbers, curves, lanes, out):
    """Add the push and the friction of a contact to what free coordinates feel, see `sglibrary.dynamics.forces`."""
    p, x, r, y = rows[1], rows[2], rows[3], rows[4]
    radius, first, second = numbers[3], int(numbers[6]), int(numbers[7])
    for j in range(lanes.size):
        c = lanes.actual + j
        ex, ey = q[y, c], q[y + 1, c]
        wx, wy = q[p, c] - q[r, c], q[p + 1, c] - q[r + 1, c]
        turn = ex * q[x, c] + ey * q[x + 1, c], ex * q[x + 1, c] - ey * q[x, c]
        pose = turn[0], turn[1], ex * wx + ey * wy, ex * wy - ey * wx
        for k in range(find_contacts(curves, first, second, radius, pose, 0.0, lanes.places)):
            place = lanes.places[k]
            sx, sy, nx, ny = place[0], place[1], place[2], place[3]
            nx, ny = ex * nx - ey * ny, ey * nx + ex * ny
            ax, ay = ex * sx - ey * sy - wx, ey * sx + ex * sy - wy  # from the second body's point to the place
            moving = lanes.scale[j]
            vx, vy = _passing(q, v, p, x, r, y, ax, ay, sx, sy, c)
            apart, along = moving * (vx * nx + vy * ny), moving * (vx * ny - vy * nx)
            push, rub = push_and_rub(numbers, elastic(numbers, -place[4]), apart, along)
            fx, fy = push * nx + rub * ny, push * ny - rub * nx
            for i in range(out.shape[0]):
                vx, vy = _passing(q, v, p, x, r, y, ax, ay, sx, sy, i * lanes.size + j)
                out[i, j] += fx * vx + fy * vy


@kernel
def _passing(q, v, p, x, r, y, ax, ay, sx, sy, c):
    """Velocity of two bodies on each other at a place, (sx, sy) in one and (ax, ay) from a point of the other."""
    spin = q[x, c] * v[x + 1, c] - q[x + 1, c] * v[x, c]
    return (
        v[p, c] - spin * ay - (v[r, c] + sx * v[y, c] - sy * v[y + 1, c]),
        v[p + 1, c] + spin * ax - (v[r + 1, c] + sx * v[y + 1, c] + sy * v[y, c]),
    )
