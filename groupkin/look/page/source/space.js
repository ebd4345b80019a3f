// Mechanisms in space, by three.js: one mesh per body, shadows as flattened copies, drawn on demand only.
import {
  BufferGeometry, CapsuleGeometry, CatmullRomCurve3, Color, ColorManagement, ConeGeometry, DoubleSide, ExtrudeGeometry,
  Float32BufferAttribute, LineBasicMaterial, LineSegments, LinearSRGBColorSpace, Matrix4, Mesh, OrthographicCamera,
  Path, PerspectiveCamera, Quaternion, Scene, ShaderMaterial, Shape, ShapeGeometry, SphereGeometry, TubeGeometry,
  Vector2, Vector3, WebGLRenderer,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { cloudOf, drawn, roundStep } from "./values.js";

const UP = new Vector3(0, 1, 0);
const SLANT = [0.18, 0.1]; // how far shadows fall beside, per height
const vector = (at) => new Vector3(...at);

// --- surfaces ----------------------------------------------------------------------------------

function between(geometry, start, stop) {
  const along = stop.clone().sub(start).normalize();
  const turn = new Quaternion().setFromUnitVectors(UP, along);
  return geometry.applyQuaternion(turn).translate(...start.clone().add(stop).multiplyScalar(0.5).toArray());
}

// of round surfaces, the sides: fine ones are seen, coarse ones throw shadows
function lathe({ ends, profile, caps, hatched }, fine) {
  const around = fine ? 24 : 8;
  const [start, stop] = ends.map(vector), length = start.distanceTo(stop);
  if (caps) {
    const radius = profile[0][1];
    return { solid: between(new CapsuleGeometry(radius, length, fine ? 4 : 2, fine ? 18 : 8), start, stop) };
  }
  const rows = [[profile[0][0], 0], ...profile, [profile[profile.length - 1][0], 0]];
  const place = [], normal = [], index = [], stripes = [];
  for (let k = 0; k + 1 < rows.length; k++) {
    const [[a, ra], [b, rb]] = [rows[k], rows[k + 1]];
    const slope = new Vector2((b - a) * length, ra - rb).normalize();
    for (let j = 0; j < around; j++) {
      const first = place.length / 3;
      for (const turn of [j, j + 1])
        for (const [y, r] of [[a, ra], [b, rb]]) {
          const angle = (2 * Math.PI * turn) / around, c = Math.cos(angle), s = Math.sin(angle);
          place.push(r * c, (y - 0.5) * length, r * s);
          normal.push(slope.x * c, slope.y, slope.x * s);
          stripes.push(hatched && j % 4 < 2 ? 1 : 0);
        }
      index.push(first, first + 1, first + 2, first + 2, first + 1, first + 3);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(place, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(normal, 3));
  geometry.setIndex(index);
  return { solid: between(geometry, start, stop), stripes: hatched ? stripes : null };
}

function plate({ middle, axes, outline, window: hole, thick }) {
  const corners = (points) => points.map(([x, y]) => new Vector2(x, y));
  const shape = new Shape(corners(outline));
  const basis = new Matrix4().makeBasis(...axes.map(vector)).setPosition(...middle);
  if (hole) shape.holes.push(new Path(corners(hole)));
  const bevel = 0.14 * thick;
  const solid = new ExtrudeGeometry(shape, {
    depth: thick - 2 * bevel, bevelSize: bevel, bevelThickness: bevel, bevelOffset: -bevel, bevelSegments: 1,
    curveSegments: 1,
  });
  solid.translate(0, 0, bevel - 0.5 * thick).applyMatrix4(basis);
  return { solid, glass: hole ? new ShapeGeometry(new Shape(corners(hole))).applyMatrix4(basis) : null };
}

function glass({ points, triangles }) {
  const geometry = new BufferGeometry();
  const places = triangles.flat().flatMap((k) => points[k]);
  geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
  geometry.computeVertexNormals();
  return { glass: geometry };
}

// corners are split at sharp edges, so that all else is smooth
function surface({ points, triangles }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points.flat(), 3));
  geometry.setIndex(triangles.flat());
  geometry.computeVertexNormals();
  return { solid: geometry };
}

function tube({ points, radius }) {
  const line = points.length > 2 ? points : [points[0], points[0].map((x, k) => 0.5 * (x + points[1][k])), points[1]];
  const curve = new CatmullRomCurve3(line.map(vector));
  return { solid: new TubeGeometry(curve, Math.max(line.length, Math.min(32, 2 * line.length)), radius, 7) };
}

function arrow(part) {
  const [start, stop] = part.head.map(vector);
  const head = between(new ConeGeometry(part.wide, start.distanceTo(stop), 18), start, stop);
  return { solids: [tube(part).solid, head] };
}

const FORMS = {
  ball: ({ at, radius }, fine) => ({ solid: new SphereGeometry(radius, fine ? 18 : 8, fine ? 12 : 6).translate(...at) }),
  lathe, plate, glass, surface, tube, arrow,
};

// all surfaces of one body in one geometry, with the vertices of each
function merged(pieces) {
  const place = [], normal = [], index = [], spans = [];
  for (const { geometry, part, stripes } of pieces) {
    const first = place.length / 3, count = geometry.attributes.position.count;
    for (const x of geometry.attributes.position.array) place.push(x);
    for (const x of geometry.attributes.normal.array) normal.push(x);
    if (geometry.index) for (const k of geometry.index.array) index.push(first + k);
    else for (let k = 0; k < count; k++) index.push(first + k);
    spans.push({ first, count, part, stripes });
  }
  const made = new BufferGeometry();
  made.setAttribute("position", new Float32BufferAttribute(place, 3));
  made.setAttribute("normal", new Float32BufferAttribute(normal, 3));
  made.setAttribute("color", new Float32BufferAttribute(new Float32Array(place.length), 3));
  made.setIndex(index);
  return { geometry: made, spans };
}

// Light comes from the upper left of who looks, and from above; by vertices, for browsers that draw by software.
const LIT = `
varying vec3 seen;
void main() {
  vec3 side = normalize(mat3(modelViewMatrix) * normal);
  float above = normalize(mat3(modelMatrix) * normal).z;
  float bright = 0.73 + 0.07 * above + 0.3 * dot(side, vec3(-0.42, 0.70, 0.58));
  if (bright > 0.98) bright = 0.98 + 0.3 * (bright - 0.98);
  seen = color * bright;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const UNLIT = "void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }";
const PLAIN = "varying vec3 seen; void main() { gl_FragColor = vec4(seen, ALPHA); }";
const ONE = "uniform vec3 tint; void main() { gl_FragColor = vec4(tint, 1.0); }";

// --- view --------------------------------------------------------------------------------------

export function spaceView({ data, poses, colors, frames, changed }) {
  ColorManagement.enabled = false;
  const renderer = new WebGLRenderer({ antialias: false, powerPreference: "high-performance" });
  renderer.outputColorSpace = LinearSRGBColorSpace;
  const scene = new Scene();
  const material = (fragment, vertex, more = {}) => new ShaderMaterial({ fragmentShader: fragment, vertexShader: vertex, ...more });
  const opaque = material(PLAIN.replace("ALPHA", "1.0"), LIT, { vertexColors: true });
  const clear = material(PLAIN.replace("ALPHA", "0.34"), LIT.replace(/float bright[^]*bright - 0.98\);/, "float bright = 1.0;"), { vertexColors: true, transparent: true, side: DoubleSide, depthWrite: false });
  const shade = material(ONE, UNLIT, { depthWrite: false, uniforms: { tint: { value: new Color() } } });

  const bodies = data.owners.map((owner, k) => {
    const solids = [], panes = [], casting = [];
    for (const part of data.parts.filter((each) => each.owner === k)) {
      const { solid, solids: several, glass: pane, stripes } = FORMS[part.form](part, true);
      for (const geometry of several || (solid ? [solid] : [])) {
        solids.push({ geometry, part, stripes });
        if (part.form !== "arrow" && part.form !== "tube") casting.push({ geometry: FORMS[part.form](part, false).solid, part });
      }
      if (pane) panes.push({ geometry: pane, part });
    }
    const made = [];
    for (const [pieces, material] of [[solids, opaque], [panes, clear]])
      if (pieces.length) {
        const { geometry, spans } = merged(pieces);
        const mesh = new Mesh(geometry, material);
        mesh.matrixAutoUpdate = mesh.frustumCulled = false;
        scene.add(mesh);
        made.push({ mesh, spans });
      }
    let shadow = null;
    if (casting.length) {
      shadow = new Mesh(merged(casting).geometry, shade);
      shadow.matrixAutoUpdate = shadow.frustumCulled = false;
      shadow.renderOrder = -1;
      scene.add(shadow);
    }
    return { made, shadow };
  });

  const { cloud, low, high } = cloudOf(data, poses, frames);
  const middle = vector(low).add(vector(high)).multiplyScalar(0.5);
  const ball = 0.5 * vector(low).distanceTo(vector(high)) + 2 * data.r;
  const ground = Math.min(data.ground, low[2] - 1.2 * data.r);
  const flat = new Matrix4().set(1, 0, -SLANT[0], SLANT[0] * ground, 0, 1, -SLANT[1], SLANT[1] * ground, 0, 0, 0, ground, 0, 0, 0, 1);

  // the ground: lines that fade out
  const unit = data.unit.meters / data.size, step = roundStep(ball / 4 / unit) * unit, half = 9;
  const places = [], shares = [];
  for (let k = -half; k <= half; k++)
    for (let j = -half; j < half; j++)
      for (const swap of [false, true])
        for (const end of [j, j + 1]) {
          const [x, y] = swap ? [k, end] : [end, k];
          places.push(middle.x + x * step, middle.y + y * step, ground - 0.02 * data.r);
          shares.push(Math.min(1, (x * x + y * y) / (half * half)));
        }
  const net = new BufferGeometry();
  net.setAttribute("position", new Float32BufferAttribute(places, 3));
  net.setAttribute("color", new Float32BufferAttribute(new Float32Array(places.length), 3));
  const lines = new LineSegments(net, new LineBasicMaterial({ vertexColors: true, depthWrite: false }));
  lines.renderOrder = -2;
  scene.add(lines);

  const lens = new PerspectiveCamera(24, 1, 0.01, 100), level = new OrthographicCamera();
  const eye = { turn: 0, rise: 0, far: 1, at: middle.clone(), flat: false };
  let camera = lens, wide = 1, tall = 1, ratio = 1, last = 0, moved = 0, sharp = 0, traces = [], fitted = true;
  const axes = drawn("svg", { class: "axes", viewBox: "-40 -40 80 80", "aria-hidden": "true" });
  const ticks = ["x", "y", "z"].map((text) => {
    const made = [drawn("line", { class: `axis ${text}` }), drawn("text", { class: `axis ${text}`, text })];
    axes.append(...made);
    return made;
  });
  const holder = document.createElement("div");
  holder.className = "drawing";
  holder.append(renderer.domElement, axes);

  function toward() {
    const c = Math.cos(eye.rise);
    return new Vector3(c * Math.cos(eye.turn), c * Math.sin(eye.turn), Math.sin(eye.rise));
  }

  function aim() {
    const way = toward();
    camera = eye.flat ? level : lens;
    camera.up.set(0, 0, 1);
    if (Math.abs(eye.rise) > 1.57) camera.up.set(-Math.cos(eye.turn), -Math.sin(eye.turn), 0).multiplyScalar(Math.sign(eye.rise));
    camera.position.copy(eye.at).addScaledVector(way, eye.flat ? 8 * ball : eye.far);
    if (eye.flat) {
      const tallness = eye.far * Math.tan((lens.fov * Math.PI) / 360);
      Object.assign(level, { top: tallness, bottom: -tallness, right: (tallness * wide) / tall, left: (-tallness * wide) / tall, near: 0.01 * ball, far: 40 * ball });
    } else Object.assign(lens, { aspect: wide / tall, near: Math.max(0.02 * ball, eye.far - 6 * ball), far: eye.far + 14 * ball });
    camera.lookAt(eye.at);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0), upward = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    ticks.forEach(([line, text], k) => {
      const unitVector = new Vector3().setComponent(k, 1);
      const x = 24 * unitVector.dot(right), y = -24 * unitVector.dot(upward);
      line.setAttribute("x2", x);
      line.setAttribute("y2", y);
      text.setAttribute("x", 1.35 * x);
      text.setAttribute("y", 1.35 * y);
    });
    moved = performance.now();
    changed();
  }

  function look(turn, rise, isFlat) {
    Object.assign(eye, { turn, rise, flat: isFlat, at: middle.clone() });
    fit();
  }

  // as near as all corners of the box allow
  function fit() {
    fitted = true;
    eye.at.copy(middle);
    eye.far = 4 * ball;
    camera = eye.flat ? level : lens;
    const way = toward(), side = new Vector3(-Math.sin(eye.turn), Math.cos(eye.turn), 0), upward = new Vector3().crossVectors(way, side);
    const slope = Math.tan((lens.fov * Math.PI) / 360), room = 3.5 * data.r;
    const aspect = wide / tall, corner = new Vector3();
    let far = 0.1 * ball;
    for (const at of cloud) {
      corner.set(...at).sub(middle);
      const depth = eye.flat ? 0 : corner.dot(way);
      const spans = [(Math.abs(corner.dot(upward)) + room) / 0.92, (Math.abs(corner.dot(side)) + room) / (0.96 * aspect)];
      far = Math.max(far, depth + Math.max(...spans) / slope);
    }
    eye.far = far;
    aim();
  }

  const full = () => Math.min(2, Math.max(1, devicePixelRatio));

  function setRatio(wanted) {
    if (wanted === ratio) return;
    ratio = wanted;
    renderer.setPixelRatio(ratio);
    renderer.setSize(wide, tall, false);
  }

  const color = new Color();
  const view = {
    element: holder,
    presets: [
      ["Iso", () => look(-1.05, 0.42, false)],
      ["Front", () => look(-Math.PI / 2, 0, true)],
      ["Side", () => look(0, 0, true)],
      ["Top", () => look(-Math.PI / 2, Math.PI / 2, true)],
    ],
    fit,
    resize(width, height) {
      [wide, tall] = [Math.max(1, width), Math.max(1, height)];
      renderer.setPixelRatio(ratio);
      renderer.setSize(wide, tall, false);
      for (const line of traces) line.material.resolution.set(wide, tall);
      if (fitted) fit();
      else aim();
    },
    show(frame, moving, now) {
      if (moving || now - moved < 120) {
        const gap = now - last;
        if (gap < 250) setRatio(gap > 40 ? Math.max(0.5, 0.8 * ratio) : gap < 20 ? Math.min(full(), 1.05 * ratio) : ratio);
      }
      clearTimeout(sharp);
      if (!moving && ratio !== full()) sharp = setTimeout(() => { setRatio(full()); changed(); }, 160);
      last = now;
      bodies.forEach(({ made, shadow }, k) => {
        const [x, y, z, qx, qy, qz, w, stretch] = poses.row(k, frame);
        const matrix = new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, w), new Vector3(stretch, 1, 1));
        for (const { mesh } of made) {
          mesh.matrix.copy(matrix);
          mesh.matrixWorldNeedsUpdate = true;
        }
        if (shadow) {
          shadow.matrix.multiplyMatrices(flat, matrix);
          shadow.matrixWorldNeedsUpdate = true;
        }
      });
      renderer.render(scene, camera);
    },
    recolor(dimmed) {
      bodies.forEach(({ made }, owner) => {
        const dim = dimmed(owner);
        for (const { mesh, spans } of made) {
          const target = mesh.geometry.attributes.color;
          for (const { first, count, part, stripes } of spans) {
            const one = colors.tone(part.tone, dim), other = colors.tone(["paper", 0], false);
            for (let k = 0; k < count; k++) {
              const [red, green, blue] = stripes && stripes[k] ? other : one;
              target.setXYZ(first + k, red / 255, green / 255, blue / 255);
            }
          }
          target.needsUpdate = true;
        }
      });
      const [paper, ink] = [colors.neutral("paper"), colors.neutral("ink")];
      const back = paper.map((x, k) => x + (colors.dark ? 0.0 : 0.035) * (ink[k] - x));
      renderer.setClearColor(color.setRGB(...back.map((x) => x / 255)));
      shade.uniforms.tint.value.setRGB(...back.map((x, k) => (x + (colors.dark ? -0.45 * x : 0.075 * (ink[k] - x))) / 255));
      shares.forEach((share, k) => {
        const mix = (1 - share) * 0.11;
        net.attributes.color.setXYZ(k, ...back.map((x, j) => (x + mix * (ink[j] - x)) / 255));
      });
      net.attributes.color.needsUpdate = true;
    },
    trace(list) {
      for (const line of traces) {
        scene.remove(line);
        line.geometry.dispose();
        line.material.dispose();
      }
      traces = list.map(({ points, color: seen }) => {
        const ends = [];
        let from = null;
        points.forEach((to, k) => {
          if (to[0] === null || !from || from[0] === null) from = to;
          else if (k + 1 === points.length || points[k + 1][0] === null || Math.hypot(...to.map((x, j) => x - from[j])) > 0.003) {
            ends.push(...from, ...to);
            from = to;
          }
        });
        const geometry = new LineSegmentsGeometry();
        geometry.setPositions(ends.length ? ends : [0, 0, 0, 0, 0, 0]);
        const material = new LineMaterial({ linewidth: 2.2 });
        material.color.setRGB(...seen.map((x) => x / 255));
        material.resolution.set(wide, tall);
        const line = new LineSegments2(geometry, material);
        line.frustumCulled = false;
        scene.add(line);
        return line;
      });
    },
    project(at) {
      const seen = vector(at).project(camera);
      return [0.5 * (1 + seen.x) * wide, 0.5 * (1 - seen.y) * tall];
    },
    drag(dx, dy) {
      eye.turn -= 0.008 * dx;
      eye.rise = Math.min(Math.max(eye.rise + 0.008 * dy, -Math.PI / 2), Math.PI / 2);
      [eye.flat, fitted] = [false, false];
      aim();
    },
    pan(dx, dy) {
      const per = (2 * eye.far * Math.tan((lens.fov * Math.PI) / 360)) / tall;
      eye.at.addScaledVector(new Vector3().setFromMatrixColumn(camera.matrixWorld, 0), -per * dx);
      eye.at.addScaledVector(new Vector3().setFromMatrixColumn(camera.matrixWorld, 1), per * dy);
      fitted = false;
      aim();
    },
    zoom(factor) {
      eye.far = Math.min(Math.max(eye.far / factor, 0.15 * ball), 40 * ball);
      fitted = false;
      aim();
    },
    reach: 1.6 * data.r,
    perUnit: () => tall / (2 * eye.far * Math.tan((lens.fov * Math.PI) / 360)),
    picture(frame) {
      setRatio(2);
      this.show(frame, false, performance.now());
      return renderer.domElement.toDataURL("image/png");
    },
  };
  Object.assign(eye, { turn: -1.05, rise: 0.42 });
  return view;
}
