(()=>{var jg=Object.defineProperty;var yr=(i,t)=>()=>(i&&(t=i(i=0)),t);var Qg=(i,t)=>{for(var e in t)jg(i,e,{get:t[e],enumerable:!0})};function hi(i,t=Float32Array){let e=atob(i),n=new Uint8Array(e.length);for(let s=0;s<e.length;s++)n[s]=e.charCodeAt(s);return new t(n.buffer)}function Rt(i,t={},...e){let n=document.createElement(i);for(let[s,r]of Object.entries(t))s==="text"?n.textContent=r:s.startsWith("on")?n.addEventListener(s.slice(2),r):n.setAttribute(s,r);return n.append(...e),n}function Ue(i,t={},...e){let n=document.createElementNS("http://www.w3.org/2000/svg",i);for(let[s,r]of Object.entries(t))s==="text"?n.textContent=r:n.setAttribute(s,r);return n.append(...e),n}function Vf(i){let t={},e={dark:!1,setDark(n){e.dark=n;for(let s of["ink","gray","frame","paper"])t[s]=uc(n?t0[s]:i[s]);t.shell=uc(n?zf.dark:zf.light)},line:(n,s=!1)=>{let r=n?e.group(n):t.gray,o=Mr(r,t.ink,e.dark?.25:0);return s?Mr(o,t.paper,kf):o},neutral:n=>t[n],group:n=>uc(i.groups[(n-1)%i.groups.length]),tone([n,s],r=!1){let o=typeof n=="number"?e.group(n):t[n],a=Mr(o,t.paper,s);return r?Mr(a,t.paper,kf):a},conditioning(n){let s=Math.min(1,Math.max(0,-Math.log10(Math.max(n,1e-9))/3)),[r,o,a]=e.dark?[[40,66,98],[86,142,205],[214,233,255]]:[[200,219,240],[66,118,186],[24,30,92]];return s<.5?Mr(r,o,2*s):Mr(o,a,2*s-1)},failed:()=>e.dark?[255,110,100]:[205,32,32]};return e.setDark(!1),e}function Hf(i){let t=i.dimension===3?7:4,e=i.poses.map(o=>hi(o)),n=i.owners.map(o=>t+(o.stretched?1:0)),s=(o,a)=>e[o].length===n[o]?0:a*n[o],r=(o,a)=>n[o]>t?e[o][a+t]:1;return{row(o,a){let l=s(o,a);return[...e[o].subarray(l,l+t),r(o,l)]},place(o,a,l){let c=e[o],h=s(o,a),f=l[0]*r(o,h);if(t===4){let P=l[1],T=c[h+2],I=c[h+3];return[c[h]+T*f-I*P,c[h+1]+I*f+T*P]}let[,u,p]=l,g=c[h+3],x=c[h+4],m=c[h+5],d=c[h+6],E=2*(x*p-m*u),M=2*(m*f-g*p),v=2*(g*u-x*f);return[c[h]+f+d*E+x*v-m*M,c[h+1]+u+d*M+m*E-g*v,c[h+2]+p+d*v+g*M-x*E]},matrix(o,a){let l=i.dimension,c=[],h=this.place(o,a,l===3?[0,0,0]:[0,0]);for(let u=0;u<l;u++){let p=[0,0,0].slice(0,l);p[u]=1,c.push(this.place(o,a,p).map((g,x)=>g-h[x]))}let f=i.owners[o].origin;return h.map((u,p)=>{let g=c.map(m=>m[p]),x=u*i.size+i.center[p]-g.reduce((m,d,E)=>m+d*f[E],0);return[...g,x]})}}}function la(i,t,e){let n=[],s=Math.max(1,Math.ceil(e/32));for(let o of i.parts){let a=o.points||o.ends||(o.outline?e0(o):[o.at]),l=a.filter((c,h)=>c[0]!==null&&(a.length<12||h%Math.ceil(a.length/12)===0));for(let c=0;c<e;c+=s)for(let h of l)n.push(t.place(o.owner,c,h))}let r=o=>i.box[0].map((a,l)=>n.reduce((c,h)=>o(c,h[l]),i.box[o===Math.min?0:1][l]));return{cloud:n,low:r(Math.min),high:r(Math.max)}}function ca(i){let t=10**Math.floor(Math.log10(i));return[1,2,5,10].map(e=>e*t).find(e=>e>=.999*i)}var mn,uc,Mr,kn,zf,t0,kf,e0,Ci=yr(()=>{mn=(i,t=4)=>Number.isFinite(i)?i!==0&&(Math.abs(i)>=1e5||Math.abs(i)<1e-4)?i.toExponential(2):String(Number(i.toPrecision(t))).replace("-","\u2212"):"\u2013",uc=i=>[1,3,5].map(t=>parseInt(i.slice(t,t+2),16)),Mr=(i,t,e)=>i.map((n,s)=>n+e*(t[s]-n)),kn=i=>`rgb(${i.map(Math.round).join(",")})`,zf={light:"#E8E9EC",dark:"#C3CAD4"},t0={ink:"#EEF2F7",gray:"#98A2B0",frame:"#7C8694",paper:"#161B22"},kf=.8;e0=({middle:i,axes:t,outline:e})=>e.map(([n,s])=>i.map((r,o)=>r+n*t[0][o]+s*t[1][o]))});function Ii(){let i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(Mn[i&255]+Mn[i>>8&255]+Mn[i>>16&255]+Mn[i>>24&255]+"-"+Mn[t&255]+Mn[t>>8&255]+"-"+Mn[t>>16&15|64]+Mn[t>>24&255]+"-"+Mn[e&63|128]+Mn[e>>8&255]+"-"+Mn[e>>16&255]+Mn[e>>24&255]+Mn[n&255]+Mn[n>>8&255]+Mn[n>>16&255]+Mn[n>>24&255]).toLowerCase()}function rn(i,t,e){return Math.max(t,Math.min(e,i))}function Ku(i,t){return(i%t+t)%t}function Wx(i,t,e,n,s){return n+(i-t)*(s-n)/(e-t)}function Xx(i,t,e){return i!==t?(e-i)/(t-i):0}function Uo(i,t,e){return(1-e)*i+e*t}function qx(i,t,e,n){return Uo(i,t,1-Math.exp(-e*n))}function Yx(i,t=1){return t-Math.abs(Ku(i,t*2)-t)}function $x(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*(3-2*i))}function Zx(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*i*(i*(i*6-15)+10))}function Jx(i,t){return i+Math.floor(Math.random()*(t-i+1))}function Kx(i,t){return i+Math.random()*(t-i)}function jx(i){return i*(.5-Math.random())}function Qx(i){i!==void 0&&(Ip=i);let t=Ip+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function tv(i){return i*Do}function ev(i){return i*zo}function nv(i){return(i&i-1)===0&&i!==0}function iv(i){return Math.pow(2,Math.ceil(Math.log(i)/Math.LN2))}function sv(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function rv(i,t,e,n,s){let r=Math.cos,o=Math.sin,a=r(e/2),l=o(e/2),c=r((t+n)/2),h=o((t+n)/2),f=r((t-n)/2),u=o((t-n)/2),p=r((n-t)/2),g=o((n-t)/2);switch(s){case"XYX":i.set(a*h,l*f,l*u,a*c);break;case"YZY":i.set(l*u,a*h,l*f,a*c);break;case"ZXZ":i.set(l*f,l*u,a*h,a*c);break;case"XZX":i.set(a*h,l*g,l*p,a*c);break;case"YXY":i.set(l*p,a*h,l*g,a*c);break;case"ZYZ":i.set(l*g,l*p,a*h,a*c);break;default:console.warn("THREE.MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function _i(i,t){switch(t.constructor){case Float32Array:return i;case Uint32Array:return i/4294967295;case Uint16Array:return i/65535;case Uint8Array:return i/255;case Int32Array:return Math.max(i/2147483647,-1);case Int16Array:return Math.max(i/32767,-1);case Int8Array:return Math.max(i/127,-1);default:throw new Error("Invalid component type.")}}function Te(i,t){switch(t.constructor){case Float32Array:return i;case Uint32Array:return Math.round(i*4294967295);case Uint16Array:return Math.round(i*65535);case Uint8Array:return Math.round(i*255);case Int32Array:return Math.round(i*2147483647);case Int16Array:return Math.round(i*32767);case Int8Array:return Math.round(i*127);default:throw new Error("Invalid component type.")}}function Ym(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function al(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function ov(){let i=al("canvas");return i.style.display="block",i}function Io(i){i in Lp||(Lp[i]=!0,console.warn(i))}function av(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}function lv(i){let t=i.elements;t[2]=.5*t[2]+.5*t[3],t[6]=.5*t[6]+.5*t[7],t[10]=.5*t[10]+.5*t[11],t[14]=.5*t[14]+.5*t[15]}function cv(i){let t=i.elements;t[11]===-1?(t[10]=-t[10]-1,t[14]=-t[14]):(t[10]=-t[10],t[14]=-t[14]+1)}function ts(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function jr(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}function qc(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?lu.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(console.warn("THREE.Texture: Unable to serialize Texture."),{})}function $c(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){Vs.fromArray(i,r);let a=s.x*Math.abs(Vs.x)+s.y*Math.abs(Vs.y)+s.z*Math.abs(Vs.z),l=t.dot(Vs),c=e.dot(Vs),h=n.dot(Vs);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}function ah(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}function Mv(i,t,e,n,s,r,o,a){let l;if(t.side===Fn?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,t.side===bs,a),l===null)return null;Va.copy(a),Va.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(Va);return c<e.near||c>e.far?null:{distance:c,point:Va.clone(),object:i}}function Ha(i,t,e,n,s,r,o,a,l,c){i.getVertexPosition(a,Oa),i.getVertexPosition(l,Ba),i.getVertexPosition(c,za);let h=Mv(i,t,e,n,Oa,Ba,za,Zp);if(h){let f=new O;$s.getBarycoord(Zp,Oa,Ba,za,f),s&&(h.uv=$s.getInterpolatedAttribute(s,a,l,c,f,new bt)),r&&(h.uv1=$s.getInterpolatedAttribute(r,a,l,c,f,new bt)),o&&(h.normal=$s.getInterpolatedAttribute(o,a,l,c,f,new O),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let u={a,b:l,c,normal:new O,materialIndex:0};$s.getNormal(Oa,Ba,za,u.normal),h.face=u,h.barycoord=f}return h}function ro(i){let t={};for(let e in i){t[e]={};for(let n in i[e]){let s=i[e][n];s&&(s.isColor||s.isMatrix3||s.isMatrix4||s.isVector2||s.isVector3||s.isVector4||s.isTexture||s.isQuaternion)?s.isRenderTargetTexture?(console.warn("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone():Array.isArray(s)?t[e][n]=s.slice():t[e][n]=s}}return t}function Pn(i){let t={};for(let e=0;e<i.length;e++){let n=ro(i[e]);for(let s in n)t[s]=n[s]}return t}function Sv(i){let t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Zm(i){let t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:ge.workingColorSpace}function Jm(){let i=null,t=!1,e=null,n=null;function s(r,o){e(r,o),n=i.requestAnimationFrame(s)}return{start:function(){t!==!0&&e!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function Tv(i){let t=new WeakMap;function e(a,l){let c=a.array,h=a.usage,f=c.byteLength,u=i.createBuffer();i.bindBuffer(l,u),i.bufferData(l,c,h),a.onUploadCallback();let p;if(c instanceof Float32Array)p=i.FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?p=i.HALF_FLOAT:p=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)p=i.SHORT;else if(c instanceof Uint32Array)p=i.UNSIGNED_INT;else if(c instanceof Int32Array)p=i.INT;else if(c instanceof Int8Array)p=i.BYTE;else if(c instanceof Uint8Array)p=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)p=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:u,type:p,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:f}}function n(a,l,c){let h=l.array,f=l.updateRanges;if(i.bindBuffer(c,a),f.length===0)i.bufferSubData(c,0,h);else{f.sort((p,g)=>p.start-g.start);let u=0;for(let p=1;p<f.length;p++){let g=f[u],x=f[p];x.start<=g.start+g.count+1?g.count=Math.max(g.count,x.start+x.count-g.start):(++u,f[u]=x)}f.length=u+1;for(let p=0,g=f.length;p<g;p++){let x=f[p];i.bufferSubData(c,x.start*h.BYTES_PER_ELEMENT,h,x.start,x.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=t.get(a);l&&(i.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}function lS(i,t,e,n,s,r,o){let a=new xe(0),l=r===!0?0:1,c,h,f=null,u=0,p=null;function g(E){let M=E.isScene===!0?E.background:null;return M&&M.isTexture&&(M=(E.backgroundBlurriness>0?e:t).get(M)),M}function x(E){let M=!1,v=g(E);v===null?d(a,l):v&&v.isColor&&(d(v,1),M=!0);let P=i.xr.getEnvironmentBlendMode();P==="additive"?n.buffers.color.setClear(0,0,0,1,o):P==="alpha-blend"&&n.buffers.color.setClear(0,0,0,0,o),(i.autoClear||M)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function m(E,M){let v=g(M);v&&(v.isCubeTexture||v.mapping===Hl)?(h===void 0&&(h=new bn(new ko(1,1,1),new On({name:"BackgroundCubeMaterial",uniforms:ro(Ln.backgroundCube.uniforms),vertexShader:Ln.backgroundCube.vertexShader,fragmentShader:Ln.backgroundCube.fragmentShader,side:Fn,depthTest:!1,depthWrite:!1,fog:!1})),h.geometry.deleteAttribute("normal"),h.geometry.deleteAttribute("uv"),h.onBeforeRender=function(P,T,I){this.matrixWorld.copyPosition(I.matrixWorld)},Object.defineProperty(h.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),s.update(h)),Ws.copy(M.backgroundRotation),Ws.x*=-1,Ws.y*=-1,Ws.z*=-1,v.isCubeTexture&&v.isRenderTargetTexture===!1&&(Ws.y*=-1,Ws.z*=-1),h.material.uniforms.envMap.value=v,h.material.uniforms.flipEnvMap.value=v.isCubeTexture&&v.isRenderTargetTexture===!1?-1:1,h.material.uniforms.backgroundBlurriness.value=M.backgroundBlurriness,h.material.uniforms.backgroundIntensity.value=M.backgroundIntensity,h.material.uniforms.backgroundRotation.value.setFromMatrix4(aS.makeRotationFromEuler(Ws)),h.material.toneMapped=ge.getTransfer(v.colorSpace)!==Ie,(f!==v||u!==v.version||p!==i.toneMapping)&&(h.material.needsUpdate=!0,f=v,u=v.version,p=i.toneMapping),h.layers.enableAll(),E.unshift(h,h.geometry,h.material,0,0,null)):v&&v.isTexture&&(c===void 0&&(c=new bn(new xl(2,2),new On({name:"BackgroundMaterial",uniforms:ro(Ln.background.uniforms),vertexShader:Ln.background.vertexShader,fragmentShader:Ln.background.fragmentShader,side:bs,depthTest:!1,depthWrite:!1,fog:!1})),c.geometry.deleteAttribute("normal"),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),s.update(c)),c.material.uniforms.t2D.value=v,c.material.uniforms.backgroundIntensity.value=M.backgroundIntensity,c.material.toneMapped=ge.getTransfer(v.colorSpace)!==Ie,v.matrixAutoUpdate===!0&&v.updateMatrix(),c.material.uniforms.uvTransform.value.copy(v.matrix),(f!==v||u!==v.version||p!==i.toneMapping)&&(c.material.needsUpdate=!0,f=v,u=v.version,p=i.toneMapping),c.layers.enableAll(),E.unshift(c,c.geometry,c.material,0,0,null))}function d(E,M){E.getRGB(Wa,Zm(i)),n.buffers.color.setClear(Wa.r,Wa.g,Wa.b,M,o)}return{getClearColor:function(){return a},setClearColor:function(E,M=1){a.set(E),l=M,d(a,l)},getClearAlpha:function(){return l},setClearAlpha:function(E){l=E,d(a,l)},render:x,addToRenderList:m}}function cS(i,t){let e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=u(null),r=s,o=!1;function a(y,C,F,B,W){let k=!1,q=f(B,F,C);r!==q&&(r=q,c(r.object)),k=p(y,B,F,W),k&&g(y,B,F,W),W!==null&&t.update(W,i.ELEMENT_ARRAY_BUFFER),(k||o)&&(o=!1,v(y,C,F,B),W!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(W).buffer))}function l(){return i.createVertexArray()}function c(y){return i.bindVertexArray(y)}function h(y){return i.deleteVertexArray(y)}function f(y,C,F){let B=F.wireframe===!0,W=n[y.id];W===void 0&&(W={},n[y.id]=W);let k=W[C.id];k===void 0&&(k={},W[C.id]=k);let q=k[B];return q===void 0&&(q=u(l()),k[B]=q),q}function u(y){let C=[],F=[],B=[];for(let W=0;W<e;W++)C[W]=0,F[W]=0,B[W]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:C,enabledAttributes:F,attributeDivisors:B,object:y,attributes:{},index:null}}function p(y,C,F,B){let W=r.attributes,k=C.attributes,q=0,j=F.getAttributes();for(let $ in j)if(j[$].location>=0){let lt=W[$],ft=k[$];if(ft===void 0&&($==="instanceMatrix"&&y.instanceMatrix&&(ft=y.instanceMatrix),$==="instanceColor"&&y.instanceColor&&(ft=y.instanceColor)),lt===void 0||lt.attribute!==ft||ft&&lt.data!==ft.data)return!0;q++}return r.attributesNum!==q||r.index!==B}function g(y,C,F,B){let W={},k=C.attributes,q=0,j=F.getAttributes();for(let $ in j)if(j[$].location>=0){let lt=k[$];lt===void 0&&($==="instanceMatrix"&&y.instanceMatrix&&(lt=y.instanceMatrix),$==="instanceColor"&&y.instanceColor&&(lt=y.instanceColor));let ft={};ft.attribute=lt,lt&&lt.data&&(ft.data=lt.data),W[$]=ft,q++}r.attributes=W,r.attributesNum=q,r.index=B}function x(){let y=r.newAttributes;for(let C=0,F=y.length;C<F;C++)y[C]=0}function m(y){d(y,0)}function d(y,C){let F=r.newAttributes,B=r.enabledAttributes,W=r.attributeDivisors;F[y]=1,B[y]===0&&(i.enableVertexAttribArray(y),B[y]=1),W[y]!==C&&(i.vertexAttribDivisor(y,C),W[y]=C)}function E(){let y=r.newAttributes,C=r.enabledAttributes;for(let F=0,B=C.length;F<B;F++)C[F]!==y[F]&&(i.disableVertexAttribArray(F),C[F]=0)}function M(y,C,F,B,W,k,q){q===!0?i.vertexAttribIPointer(y,C,F,W,k):i.vertexAttribPointer(y,C,F,B,W,k)}function v(y,C,F,B){x();let W=B.attributes,k=F.getAttributes(),q=C.defaultAttributeValues;for(let j in k){let $=k[j];if($.location>=0){let ot=W[j];if(ot===void 0&&(j==="instanceMatrix"&&y.instanceMatrix&&(ot=y.instanceMatrix),j==="instanceColor"&&y.instanceColor&&(ot=y.instanceColor)),ot!==void 0){let lt=ot.normalized,ft=ot.itemSize,_t=t.get(ot);if(_t===void 0)continue;let $t=_t.buffer,Z=_t.type,ut=_t.bytesPerElement,Dt=Z===i.INT||Z===i.UNSIGNED_INT||ot.gpuType===Xu;if(ot.isInterleavedBufferAttribute){let mt=ot.data,Ft=mt.stride,qt=ot.offset;if(mt.isInstancedInterleavedBuffer){for(let Pt=0;Pt<$.locationSize;Pt++)d($.location+Pt,mt.meshPerAttribute);y.isInstancedMesh!==!0&&B._maxInstanceCount===void 0&&(B._maxInstanceCount=mt.meshPerAttribute*mt.count)}else for(let Pt=0;Pt<$.locationSize;Pt++)m($.location+Pt);i.bindBuffer(i.ARRAY_BUFFER,$t);for(let Pt=0;Pt<$.locationSize;Pt++)M($.location+Pt,ft/$.locationSize,Z,lt,Ft*ut,(qt+ft/$.locationSize*Pt)*ut,Dt)}else{if(ot.isInstancedBufferAttribute){for(let mt=0;mt<$.locationSize;mt++)d($.location+mt,ot.meshPerAttribute);y.isInstancedMesh!==!0&&B._maxInstanceCount===void 0&&(B._maxInstanceCount=ot.meshPerAttribute*ot.count)}else for(let mt=0;mt<$.locationSize;mt++)m($.location+mt);i.bindBuffer(i.ARRAY_BUFFER,$t);for(let mt=0;mt<$.locationSize;mt++)M($.location+mt,ft/$.locationSize,Z,lt,ft*ut,ft/$.locationSize*mt*ut,Dt)}}else if(q!==void 0){let lt=q[j];if(lt!==void 0)switch(lt.length){case 2:i.vertexAttrib2fv($.location,lt);break;case 3:i.vertexAttrib3fv($.location,lt);break;case 4:i.vertexAttrib4fv($.location,lt);break;default:i.vertexAttrib1fv($.location,lt)}}}}E()}function P(){L();for(let y in n){let C=n[y];for(let F in C){let B=C[F];for(let W in B)h(B[W].object),delete B[W];delete C[F]}delete n[y]}}function T(y){if(n[y.id]===void 0)return;let C=n[y.id];for(let F in C){let B=C[F];for(let W in B)h(B[W].object),delete B[W];delete C[F]}delete n[y.id]}function I(y){for(let C in n){let F=n[C];if(F[y.id]===void 0)continue;let B=F[y.id];for(let W in B)h(B[W].object),delete B[W];delete F[y.id]}}function L(){b(),o=!0,r!==s&&(r=s,c(r.object))}function b(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:L,resetDefaultState:b,dispose:P,releaseStatesOfGeometry:T,releaseStatesOfProgram:I,initAttributes:x,enableAttribute:m,disableUnusedAttributes:E}}function hS(i,t,e){let n;function s(c){n=c}function r(c,h){i.drawArrays(n,c,h),e.update(h,n,1)}function o(c,h,f){f!==0&&(i.drawArraysInstanced(n,c,h,f),e.update(h,n,f))}function a(c,h,f){if(f===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,c,0,h,0,f);let p=0;for(let g=0;g<f;g++)p+=h[g];e.update(p,n,1)}function l(c,h,f,u){if(f===0)return;let p=t.get("WEBGL_multi_draw");if(p===null)for(let g=0;g<c.length;g++)o(c[g],h[g],u[g]);else{p.multiDrawArraysInstancedWEBGL(n,c,0,h,0,u,0,f);let g=0;for(let x=0;x<f;x++)g+=h[x]*u[x];e.update(g,n,1)}}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a,this.renderMultiDrawInstances=l}function uS(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let I=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(I.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(I){return!(I!==xi&&n.convert(I)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(I){let L=I===$o&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(I!==es&&n.convert(I)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE)&&I!==ji&&!L)}function l(I){if(I==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";I="mediump"}return I==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp",h=l(c);h!==c&&(console.warn("THREE.WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let f=e.logarithmicDepthBuffer===!0,u=e.reverseDepthBuffer===!0&&t.has("EXT_clip_control"),p=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),g=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),x=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),d=i.getParameter(i.MAX_VERTEX_ATTRIBS),E=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),M=i.getParameter(i.MAX_VARYING_VECTORS),v=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),P=g>0,T=i.getParameter(i.MAX_SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:f,reverseDepthBuffer:u,maxTextures:p,maxVertexTextures:g,maxTextureSize:x,maxCubemapSize:m,maxAttributes:d,maxVertexUniforms:E,maxVaryings:M,maxFragmentUniforms:v,vertexTextures:P,maxSamples:T}}function fS(i){let t=this,e=null,n=0,s=!1,r=!1,o=new Ki,a=new le,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(f,u){let p=f.length!==0||u||n!==0||s;return s=u,n=f.length,p},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(f,u){e=h(f,u,0)},this.setState=function(f,u,p){let g=f.clippingPlanes,x=f.clipIntersection,m=f.clipShadows,d=i.get(f);if(!s||g===null||g.length===0||r&&!m)r?h(null):c();else{let E=r?0:n,M=E*4,v=d.clippingState||null;l.value=v,v=h(g,u,M,p);for(let P=0;P!==M;++P)v[P]=e[P];d.clippingState=v,this.numIntersection=x?this.numPlanes:0,this.numPlanes+=E}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function h(f,u,p,g){let x=f!==null?f.length:0,m=null;if(x!==0){if(m=l.value,g!==!0||m===null){let d=p+x*4,E=u.matrixWorldInverse;a.getNormalMatrix(E),(m===null||m.length<d)&&(m=new Float32Array(d));for(let M=0,v=p;M!==x;++M,v+=4)o.copy(f[M]).applyMatrix4(E,a),o.normal.toArray(m,v),m[v+3]=o.constant}l.value=m,l.needsUpdate=!0}return t.numPlanes=x,t.numIntersection=0,m}}function dS(i){let t=new WeakMap;function e(o,a){return a===Ph?o.mapping=eo:a===Ih&&(o.mapping=no),o}function n(o){if(o&&o.isTexture){let a=o.mapping;if(a===Ph||a===Ih)if(t.has(o)){let l=t.get(o).texture;return e(l,o.mapping)}else{let l=o.image;if(l&&l.height>0){let c=new fu(l.height);return c.fromEquirectangularTexture(i,o),t.set(o,c),o.addEventListener("dispose",s),e(c.texture,o.mapping)}else return null}}return o}function s(o){let a=o.target;a.removeEventListener("dispose",s);let l=t.get(a);l!==void 0&&(t.delete(a),l.dispose())}function r(){t=new WeakMap}return{get:n,dispose:r}}function pS(i){let t=[],e=[],n=[],s=i,r=i-Yr+1+jp.length;for(let o=0;o<r;o++){let a=Math.pow(2,s);e.push(a);let l=1/a;o>i-Yr?l=jp[o-i+Yr-1]:o===0&&(l=0),n.push(l);let c=1/(a-2),h=-c,f=1+c,u=[h,h,f,h,f,f,h,h,f,f,h,f],p=6,g=6,x=3,m=2,d=1,E=new Float32Array(x*g*p),M=new Float32Array(m*g*p),v=new Float32Array(d*g*p);for(let T=0;T<p;T++){let I=T%3*2/3-1,L=T>2?0:-1,b=[I,L,0,I+2/3,L,0,I+2/3,L+1,0,I,L,0,I+2/3,L+1,0,I,L+1,0];E.set(b,x*g*T),M.set(u,m*g*T);let y=[T,T,T,T,T,T];v.set(y,d*g*T)}let P=new Ye;P.setAttribute("position",new Yn(E,x)),P.setAttribute("uv",new Yn(M,m)),P.setAttribute("faceIndex",new Yn(v,d)),t.push(P),s>Yr&&s--}return{lodPlanes:t,sizeLods:e,sigmas:n}}function em(i,t,e){let n=new ns(i,t,e);return n.texture.mapping=Hl,n.texture.name="PMREM.cubeUv",n.scissorTest=!0,n}function Xa(i,t,e,n,s){i.viewport.set(t,e,n,s),i.scissor.set(t,e,n,s)}function mS(i,t,e){let n=new Float32Array(Zs),s=new O(0,1,0);return new On({name:"SphericalGaussianBlur",defines:{n:Zs,CUBEUV_TEXEL_WIDTH:1/t,CUBEUV_TEXEL_HEIGHT:1/e,CUBEUV_MAX_MIP:`${i}.0`},uniforms:{envMap:{value:null},samples:{value:1},weights:{value:n},latitudinal:{value:!1},dTheta:{value:0},mipInt:{value:0},poleAxis:{value:s}},vertexShader:ju(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			varying vec3 vOutputDirection;

			uniform sampler2D envMap;
			uniform int samples;
			uniform float weights[ n ];
			uniform bool latitudinal;
			uniform float dTheta;
			uniform float mipInt;
			uniform vec3 poleAxis;

			#define ENVMAP_TYPE_CUBE_UV
			#include <cube_uv_reflection_fragment>

			vec3 getSample( float theta, vec3 axis ) {

				float cosTheta = cos( theta );
				// Rodrigues' axis-angle rotation
				vec3 sampleDirection = vOutputDirection * cosTheta
					+ cross( axis, vOutputDirection ) * sin( theta )
					+ axis * dot( axis, vOutputDirection ) * ( 1.0 - cosTheta );

				return bilinearCubeUV( envMap, sampleDirection, mipInt );

			}

			void main() {

				vec3 axis = latitudinal ? poleAxis : cross( poleAxis, vOutputDirection );

				if ( all( equal( axis, vec3( 0.0 ) ) ) ) {

					axis = vec3( vOutputDirection.z, 0.0, - vOutputDirection.x );

				}

				axis = normalize( axis );

				gl_FragColor = vec4( 0.0, 0.0, 0.0, 1.0 );
				gl_FragColor.rgb += weights[ 0 ] * getSample( 0.0, axis );

				for ( int i = 1; i < n; i++ ) {

					if ( i >= samples ) {

						break;

					}

					float theta = dTheta * float( i );
					gl_FragColor.rgb += weights[ i ] * getSample( -1.0 * theta, axis );
					gl_FragColor.rgb += weights[ i ] * getSample( theta, axis );

				}

			}
		`,blending:ys,depthTest:!1,depthWrite:!1})}function nm(){return new On({name:"EquirectangularToCubeUV",uniforms:{envMap:{value:null}},vertexShader:ju(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			varying vec3 vOutputDirection;

			uniform sampler2D envMap;

			#include <common>

			void main() {

				vec3 outputDirection = normalize( vOutputDirection );
				vec2 uv = equirectUv( outputDirection );

				gl_FragColor = vec4( texture2D ( envMap, uv ).rgb, 1.0 );

			}
		`,blending:ys,depthTest:!1,depthWrite:!1})}function im(){return new On({name:"CubemapToCubeUV",uniforms:{envMap:{value:null},flipEnvMap:{value:-1}},vertexShader:ju(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			uniform float flipEnvMap;

			varying vec3 vOutputDirection;

			uniform samplerCube envMap;

			void main() {

				gl_FragColor = textureCube( envMap, vec3( flipEnvMap * vOutputDirection.x, vOutputDirection.yz ) );

			}
		`,blending:ys,depthTest:!1,depthWrite:!1})}function ju(){return`

		precision mediump float;
		precision mediump int;

		attribute float faceIndex;

		varying vec3 vOutputDirection;

		// RH coordinate system; PMREM face-indexing convention
		vec3 getDirection( vec2 uv, float face ) {

			uv = 2.0 * uv - 1.0;

			vec3 direction = vec3( uv, 1.0 );

			if ( face == 0.0 ) {

				direction = direction.zyx; // ( 1, v, u ) pos x

			} else if ( face == 1.0 ) {

				direction = direction.xzy;
				direction.xz *= -1.0; // ( -u, 1, -v ) pos y

			} else if ( face == 2.0 ) {

				direction.x *= -1.0; // ( -u, v, 1 ) pos z

			} else if ( face == 3.0 ) {

				direction = direction.zyx;
				direction.xz *= -1.0; // ( -1, v, -u ) neg x

			} else if ( face == 4.0 ) {

				direction = direction.xzy;
				direction.xy *= -1.0; // ( -u, -1, v ) neg y

			} else if ( face == 5.0 ) {

				direction.z *= -1.0; // ( u, v, -1 ) neg z

			}

			return direction;

		}

		void main() {

			vOutputDirection = getDirection( uv, faceIndex );
			gl_Position = vec4( position, 1.0 );

		}
	`}function gS(i){let t=new WeakMap,e=null;function n(a){if(a&&a.isTexture){let l=a.mapping,c=l===Ph||l===Ih,h=l===eo||l===no;if(c||h){let f=t.get(a),u=f!==void 0?f.texture.pmremVersion:0;if(a.isRenderTargetTexture&&a.pmremVersion!==u)return e===null&&(e=new vl(i)),f=c?e.fromEquirectangular(a,f):e.fromCubemap(a,f),f.texture.pmremVersion=a.pmremVersion,t.set(a,f),f.texture;if(f!==void 0)return f.texture;{let p=a.image;return c&&p&&p.height>0||h&&p&&s(p)?(e===null&&(e=new vl(i)),f=c?e.fromEquirectangular(a):e.fromCubemap(a),f.texture.pmremVersion=a.pmremVersion,t.set(a,f),a.addEventListener("dispose",r),f.texture):null}}}return a}function s(a){let l=0,c=6;for(let h=0;h<c;h++)a[h]!==void 0&&l++;return l===c}function r(a){let l=a.target;l.removeEventListener("dispose",r);let c=t.get(l);c!==void 0&&(t.delete(l),c.dispose())}function o(){t=new WeakMap,e!==null&&(e.dispose(),e=null)}return{get:n,dispose:o}}function _S(i){let t={};function e(n){if(t[n]!==void 0)return t[n];let s;switch(n){case"WEBGL_depth_texture":s=i.getExtension("WEBGL_depth_texture")||i.getExtension("MOZ_WEBGL_depth_texture")||i.getExtension("WEBKIT_WEBGL_depth_texture");break;case"EXT_texture_filter_anisotropic":s=i.getExtension("EXT_texture_filter_anisotropic")||i.getExtension("MOZ_EXT_texture_filter_anisotropic")||i.getExtension("WEBKIT_EXT_texture_filter_anisotropic");break;case"WEBGL_compressed_texture_s3tc":s=i.getExtension("WEBGL_compressed_texture_s3tc")||i.getExtension("MOZ_WEBGL_compressed_texture_s3tc")||i.getExtension("WEBKIT_WEBGL_compressed_texture_s3tc");break;case"WEBGL_compressed_texture_pvrtc":s=i.getExtension("WEBGL_compressed_texture_pvrtc")||i.getExtension("WEBKIT_WEBGL_compressed_texture_pvrtc");break;default:s=i.getExtension(n)}return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){let s=e(n);return s===null&&Io("THREE.WebGLRenderer: "+n+" extension not supported."),s}}}function xS(i,t,e,n){let s={},r=new WeakMap;function o(f){let u=f.target;u.index!==null&&t.remove(u.index);for(let g in u.attributes)t.remove(u.attributes[g]);for(let g in u.morphAttributes){let x=u.morphAttributes[g];for(let m=0,d=x.length;m<d;m++)t.remove(x[m])}u.removeEventListener("dispose",o),delete s[u.id];let p=r.get(u);p&&(t.remove(p),r.delete(u)),n.releaseStatesOfGeometry(u),u.isInstancedBufferGeometry===!0&&delete u._maxInstanceCount,e.memory.geometries--}function a(f,u){return s[u.id]===!0||(u.addEventListener("dispose",o),s[u.id]=!0,e.memory.geometries++),u}function l(f){let u=f.attributes;for(let g in u)t.update(u[g],i.ARRAY_BUFFER);let p=f.morphAttributes;for(let g in p){let x=p[g];for(let m=0,d=x.length;m<d;m++)t.update(x[m],i.ARRAY_BUFFER)}}function c(f){let u=[],p=f.index,g=f.attributes.position,x=0;if(p!==null){let E=p.array;x=p.version;for(let M=0,v=E.length;M<v;M+=3){let P=E[M+0],T=E[M+1],I=E[M+2];u.push(P,T,T,I,I,P)}}else if(g!==void 0){let E=g.array;x=g.version;for(let M=0,v=E.length/3-1;M<v;M+=3){let P=M+0,T=M+1,I=M+2;u.push(P,T,T,I,I,P)}}else return;let m=new(Ym(u)?pl:dl)(u,1);m.version=x;let d=r.get(f);d&&t.remove(d),r.set(f,m)}function h(f){let u=r.get(f);if(u){let p=f.index;p!==null&&u.version<p.version&&c(f)}else c(f);return r.get(f)}return{get:a,update:l,getWireframeAttribute:h}}function vS(i,t,e){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,p){i.drawElements(n,p,r,u*o),e.update(p,n,1)}function c(u,p,g){g!==0&&(i.drawElementsInstanced(n,p,r,u*o,g),e.update(p,n,g))}function h(u,p,g){if(g===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,p,0,r,u,0,g);let m=0;for(let d=0;d<g;d++)m+=p[d];e.update(m,n,1)}function f(u,p,g,x){if(g===0)return;let m=t.get("WEBGL_multi_draw");if(m===null)for(let d=0;d<u.length;d++)c(u[d]/o,p[d],x[d]);else{m.multiDrawElementsInstancedWEBGL(n,p,0,r,u,0,x,0,g);let d=0;for(let E=0;E<g;E++)d+=p[E]*x[E];e.update(d,n,1)}}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h,this.renderMultiDrawInstances=f}function yS(i){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:console.error("THREE.WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function MS(i,t,e){let n=new WeakMap,s=new Fe;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,f=h!==void 0?h.length:0,u=n.get(a);if(u===void 0||u.count!==f){let b=function(){I.dispose(),n.delete(a),a.removeEventListener("dispose",b)};u!==void 0&&u.texture.dispose();let p=a.morphAttributes.position!==void 0,g=a.morphAttributes.normal!==void 0,x=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],d=a.morphAttributes.normal||[],E=a.morphAttributes.color||[],M=0;p===!0&&(M=1),g===!0&&(M=2),x===!0&&(M=3);let v=a.attributes.position.count*M,P=1;v>t.maxTextureSize&&(P=Math.ceil(v/t.maxTextureSize),v=t.maxTextureSize);let T=new Float32Array(v*P*4*f),I=new cl(T,v,P,f);I.type=ji,I.needsUpdate=!0;let L=M*4;for(let y=0;y<f;y++){let C=m[y],F=d[y],B=E[y],W=v*P*4*y;for(let k=0;k<C.count;k++){let q=k*L;p===!0&&(s.fromBufferAttribute(C,k),T[W+q+0]=s.x,T[W+q+1]=s.y,T[W+q+2]=s.z,T[W+q+3]=0),g===!0&&(s.fromBufferAttribute(F,k),T[W+q+4]=s.x,T[W+q+5]=s.y,T[W+q+6]=s.z,T[W+q+7]=0),x===!0&&(s.fromBufferAttribute(B,k),T[W+q+8]=s.x,T[W+q+9]=s.y,T[W+q+10]=s.z,T[W+q+11]=B.itemSize===4?s.w:1)}}u={count:f,texture:I,size:new bt(v,P)},n.set(a,u),a.addEventListener("dispose",b)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let p=0;for(let x=0;x<c.length;x++)p+=c[x];let g=a.morphTargetsRelative?1:1-p;l.getUniforms().setValue(i,"morphTargetBaseInfluence",g),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",u.texture,e),l.getUniforms().setValue(i,"morphTargetsTextureSize",u.size)}return{update:r}}function SS(i,t,e,n){let s=new WeakMap;function r(l){let c=n.render.frame,h=l.geometry,f=t.get(l,h);if(s.get(f)!==c&&(t.update(f),s.set(f,c)),l.isInstancedMesh&&(l.hasEventListener("dispose",a)===!1&&l.addEventListener("dispose",a),s.get(l)!==c&&(e.update(l.instanceMatrix,i.ARRAY_BUFFER),l.instanceColor!==null&&e.update(l.instanceColor,i.ARRAY_BUFFER),s.set(l,c))),l.isSkinnedMesh){let u=l.skeleton;s.get(u)!==c&&(u.update(),s.set(u,c))}return f}function o(){s=new WeakMap}function a(l){let c=l.target;c.removeEventListener("dispose",a),e.remove(c.instanceMatrix),c.instanceColor!==null&&e.remove(c.instanceColor)}return{update:r,dispose:o}}function ao(i,t,e){let n=i[0];if(n<=0||n>0)return i;let s=t*e,r=rm[s];if(r===void 0&&(r=new Float32Array(s),rm[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function on(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function an(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function Xl(i,t){let e=om[t];e===void 0&&(e=new Int32Array(t),om[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function bS(i,t){let e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function wS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(on(e,t))return;i.uniform2fv(this.addr,t),an(e,t)}}function ES(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(on(e,t))return;i.uniform3fv(this.addr,t),an(e,t)}}function AS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(on(e,t))return;i.uniform4fv(this.addr,t),an(e,t)}}function TS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(on(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),an(e,t)}else{if(on(e,n))return;cm.set(n),i.uniformMatrix2fv(this.addr,!1,cm),an(e,n)}}function CS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(on(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),an(e,t)}else{if(on(e,n))return;lm.set(n),i.uniformMatrix3fv(this.addr,!1,lm),an(e,n)}}function RS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(on(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),an(e,t)}else{if(on(e,n))return;am.set(n),i.uniformMatrix4fv(this.addr,!1,am),an(e,n)}}function PS(i,t){let e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function IS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(on(e,t))return;i.uniform2iv(this.addr,t),an(e,t)}}function LS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(on(e,t))return;i.uniform3iv(this.addr,t),an(e,t)}}function DS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(on(e,t))return;i.uniform4iv(this.addr,t),an(e,t)}}function US(i,t){let e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function NS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(on(e,t))return;i.uniform2uiv(this.addr,t),an(e,t)}}function FS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(on(e,t))return;i.uniform3uiv(this.addr,t),an(e,t)}}function OS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(on(e,t))return;i.uniform4uiv(this.addr,t),an(e,t)}}function BS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?(sm.compareFunction=Xm,r=sm):r=Km,e.setTexture2D(t||r,s)}function zS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||Qm,s)}function kS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTextureCube(t||tg,s)}function VS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||jm,s)}function HS(i){switch(i){case 5126:return bS;case 35664:return wS;case 35665:return ES;case 35666:return AS;case 35674:return TS;case 35675:return CS;case 35676:return RS;case 5124:case 35670:return PS;case 35667:case 35671:return IS;case 35668:case 35672:return LS;case 35669:case 35673:return DS;case 5125:return US;case 36294:return NS;case 36295:return FS;case 36296:return OS;case 35678:case 36198:case 36298:case 36306:case 35682:return BS;case 35679:case 36299:case 36307:return zS;case 35680:case 36300:case 36308:case 36293:return kS;case 36289:case 36303:case 36311:case 36292:return VS}}function GS(i,t){i.uniform1fv(this.addr,t)}function WS(i,t){let e=ao(t,this.size,2);i.uniform2fv(this.addr,e)}function XS(i,t){let e=ao(t,this.size,3);i.uniform3fv(this.addr,e)}function qS(i,t){let e=ao(t,this.size,4);i.uniform4fv(this.addr,e)}function YS(i,t){let e=ao(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function $S(i,t){let e=ao(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function ZS(i,t){let e=ao(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function JS(i,t){i.uniform1iv(this.addr,t)}function KS(i,t){i.uniform2iv(this.addr,t)}function jS(i,t){i.uniform3iv(this.addr,t)}function QS(i,t){i.uniform4iv(this.addr,t)}function tb(i,t){i.uniform1uiv(this.addr,t)}function eb(i,t){i.uniform2uiv(this.addr,t)}function nb(i,t){i.uniform3uiv(this.addr,t)}function ib(i,t){i.uniform4uiv(this.addr,t)}function sb(i,t,e){let n=this.cache,s=t.length,r=Xl(e,s);on(n,r)||(i.uniform1iv(this.addr,r),an(n,r));for(let o=0;o!==s;++o)e.setTexture2D(t[o]||Km,r[o])}function rb(i,t,e){let n=this.cache,s=t.length,r=Xl(e,s);on(n,r)||(i.uniform1iv(this.addr,r),an(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||Qm,r[o])}function ob(i,t,e){let n=this.cache,s=t.length,r=Xl(e,s);on(n,r)||(i.uniform1iv(this.addr,r),an(n,r));for(let o=0;o!==s;++o)e.setTextureCube(t[o]||tg,r[o])}function ab(i,t,e){let n=this.cache,s=t.length,r=Xl(e,s);on(n,r)||(i.uniform1iv(this.addr,r),an(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||jm,r[o])}function lb(i){switch(i){case 5126:return GS;case 35664:return WS;case 35665:return XS;case 35666:return qS;case 35674:return YS;case 35675:return $S;case 35676:return ZS;case 5124:case 35670:return JS;case 35667:case 35671:return KS;case 35668:case 35672:return jS;case 35669:case 35673:return QS;case 5125:return tb;case 36294:return eb;case 36295:return nb;case 36296:return ib;case 35678:case 36198:case 36298:case 36306:case 35682:return sb;case 35679:case 36299:case 36307:return rb;case 35680:case 36300:case 36308:case 36293:return ob;case 36289:case 36303:case 36311:case 36292:return ab}}function hm(i,t){i.seq.push(t),i.map[t.id]=t}function cb(i,t,e){let n=i.name,s=n.length;for(gh.lastIndex=0;;){let r=gh.exec(n),o=gh.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){hm(e,c===void 0?new du(a,i,t):new pu(a,i,t));break}else{let f=e.map[a];f===void 0&&(f=new mu(a),hm(e,f)),e=f}}}function um(i,t,e){let n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}function fb(i,t){let e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}function db(i){ge._getMatrix(fm,ge.workingColorSpace,i);let t=`mat3( ${fm.elements.map(e=>e.toFixed(4))} )`;switch(ge.getTransfer(i)){case Gl:return[t,"LinearTransferOETF"];case Ie:return[t,"sRGBTransferOETF"];default:return console.warn("THREE.WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function dm(i,t,e){let n=i.getShaderParameter(t,i.COMPILE_STATUS),s=i.getShaderInfoLog(t).trim();if(n&&s==="")return"";let r=/ERROR: 0:(\d+)/.exec(s);if(r){let o=parseInt(r[1]);return e.toUpperCase()+`

`+s+`

`+fb(i.getShaderSource(t),o)}else return s}function pb(i,t){let e=db(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( value.rgb * ${e[0]}, value.a ) );`,"}"].join(`
`)}function mb(i,t){let e;switch(t){case Ex:e="Linear";break;case Ax:e="Reinhard";break;case Tx:e="Cineon";break;case Cx:e="ACESFilmic";break;case Px:e="AgX";break;case Ix:e="Neutral";break;case Rx:e="Custom";break;default:console.warn("THREE.WebGLProgram: Unsupported toneMapping:",t),e="Linear"}return"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}function gb(){ge.getLuminanceCoefficients(qa);let i=qa.x.toFixed(4),t=qa.y.toFixed(4),e=qa.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function _b(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(Lo).join(`
`)}function xb(i){let t=[];for(let e in i){let n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function vb(i,t){let e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(t,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function Lo(i){return i!==""}function pm(i,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows)}function mm(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}function gu(i){return i.replace(yb,Sb)}function Sb(i,t){let e=ce[t];if(e===void 0){let n=Mb.get(t);if(n!==void 0)e=ce[n],console.warn('THREE.WebGLRenderer: Shader chunk "%s" has been deprecated. Use "%s" instead.',t,n);else throw new Error("Can not resolve #include <"+t+">")}return gu(e)}function gm(i){return i.replace(bb,wb)}function wb(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function _m(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}function Eb(i){let t="SHADOWMAP_TYPE_BASIC";return i.shadowMapType===Lm?t="SHADOWMAP_TYPE_PCF":i.shadowMapType===sx?t="SHADOWMAP_TYPE_PCF_SOFT":i.shadowMapType===Ji&&(t="SHADOWMAP_TYPE_VSM"),t}function Ab(i){let t="ENVMAP_TYPE_CUBE";if(i.envMap)switch(i.envMapMode){case eo:case no:t="ENVMAP_TYPE_CUBE";break;case Hl:t="ENVMAP_TYPE_CUBE_UV";break}return t}function Tb(i){let t="ENVMAP_MODE_REFLECTION";if(i.envMap)switch(i.envMapMode){case no:t="ENVMAP_MODE_REFRACTION";break}return t}function Cb(i){let t="ENVMAP_BLENDING_NONE";if(i.envMap)switch(i.combine){case Dm:t="ENVMAP_BLENDING_MULTIPLY";break;case bx:t="ENVMAP_BLENDING_MIX";break;case wx:t="ENVMAP_BLENDING_ADD";break}return t}function Rb(i){let t=i.envMapCubeUVHeight;if(t===null)return null;let e=Math.log2(t)-2,n=1/t;return{texelWidth:1/(3*Math.max(Math.pow(2,e),7*16)),texelHeight:n,maxMip:e}}function Pb(i,t,e,n){let s=i.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,l=Eb(e),c=Ab(e),h=Tb(e),f=Cb(e),u=Rb(e),p=_b(e),g=xb(r),x=s.createProgram(),m,d,E=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,g].filter(Lo).join(`
`),m.length>0&&(m+=`
`),d=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,g].filter(Lo).join(`
`),d.length>0&&(d+=`
`)):(m=[_m(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,g,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGDEPTHBUF":"",e.reverseDepthBuffer?"#define USE_REVERSEDEPTHBUF":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(Lo).join(`
`),d=[_m(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,g,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+h:"",e.envMap?"#define "+f:"",u?"#define CUBEUV_TEXEL_WIDTH "+u.texelWidth:"",u?"#define CUBEUV_TEXEL_HEIGHT "+u.texelHeight:"",u?"#define CUBEUV_MAX_MIP "+u.maxMip+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor||e.batchingColor?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGDEPTHBUF":"",e.reverseDepthBuffer?"#define USE_REVERSEDEPTHBUF":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==Ms?"#define TONE_MAPPING":"",e.toneMapping!==Ms?ce.tonemapping_pars_fragment:"",e.toneMapping!==Ms?mb("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",ce.colorspace_pars_fragment,pb("linearToOutputTexel",e.outputColorSpace),gb(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(Lo).join(`
`)),o=gu(o),o=pm(o,e),o=mm(o,e),a=gu(a),a=pm(a,e),a=mm(a,e),o=gm(o),a=gm(a),e.isRawShaderMaterial!==!0&&(E=`#version 300 es
`,m=[p,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+m,d=["#define varying in",e.glslVersion===Pp?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===Pp?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+d);let M=E+m+o,v=E+d+a,P=um(s,s.VERTEX_SHADER,M),T=um(s,s.FRAGMENT_SHADER,v);s.attachShader(x,P),s.attachShader(x,T),e.index0AttributeName!==void 0?s.bindAttribLocation(x,0,e.index0AttributeName):e.morphTargets===!0&&s.bindAttribLocation(x,0,"position"),s.linkProgram(x);function I(C){if(i.debug.checkShaderErrors){let F=s.getProgramInfoLog(x).trim(),B=s.getShaderInfoLog(P).trim(),W=s.getShaderInfoLog(T).trim(),k=!0,q=!0;if(s.getProgramParameter(x,s.LINK_STATUS)===!1)if(k=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,x,P,T);else{let j=dm(s,P,"vertex"),$=dm(s,T,"fragment");console.error("THREE.WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(x,s.VALIDATE_STATUS)+`

Material Name: `+C.name+`
Material Type: `+C.type+`

Program Info Log: `+F+`
`+j+`
`+$)}else F!==""?console.warn("THREE.WebGLProgram: Program Info Log:",F):(B===""||W==="")&&(q=!1);q&&(C.diagnostics={runnable:k,programLog:F,vertexShader:{log:B,prefix:m},fragmentShader:{log:W,prefix:d}})}s.deleteShader(P),s.deleteShader(T),L=new Qr(s,x),b=vb(s,x)}let L;this.getUniforms=function(){return L===void 0&&I(this),L};let b;this.getAttributes=function(){return b===void 0&&I(this),b};let y=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return y===!1&&(y=s.getProgramParameter(x,hb)),y},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(x),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=ub++,this.cacheKey=t,this.usedTimes=1,this.program=x,this.vertexShader=P,this.fragmentShader=T,this}function Lb(i,t,e,n,s,r,o){let a=new ul,l=new _u,c=new Set,h=[],f=s.logarithmicDepthBuffer,u=s.vertexTextures,p=s.precision,g={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distanceRGBA",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function x(b){return c.add(b),b===0?"uv":`uv${b}`}function m(b,y,C,F,B){let W=F.fog,k=B.geometry,q=b.isMeshStandardMaterial?F.environment:null,j=(b.isMeshStandardMaterial?e:t).get(b.envMap||q),$=j&&j.mapping===Hl?j.image.height:null,ot=g[b.type];b.precision!==null&&(p=s.getMaxPrecision(b.precision),p!==b.precision&&console.warn("THREE.WebGLProgram.getParameters:",b.precision,"not supported, using",p,"instead."));let lt=k.morphAttributes.position||k.morphAttributes.normal||k.morphAttributes.color,ft=lt!==void 0?lt.length:0,_t=0;k.morphAttributes.position!==void 0&&(_t=1),k.morphAttributes.normal!==void 0&&(_t=2),k.morphAttributes.color!==void 0&&(_t=3);let $t,Z,ut,Dt;if(ot){let he=Ln[ot];$t=he.vertexShader,Z=he.fragmentShader}else $t=b.vertexShader,Z=b.fragmentShader,l.update(b),ut=l.getVertexShaderID(b),Dt=l.getFragmentShaderID(b);let mt=i.getRenderTarget(),Ft=i.state.buffers.depth.getReversed(),qt=B.isInstancedMesh===!0,Pt=B.isBatchedMesh===!0,te=!!b.map,at=!!b.matcap,et=!!j,D=!!b.aoMap,vt=!!b.lightMap,st=!!b.bumpMap,ct=!!b.normalMap,rt=!!b.displacementMap,Tt=!!b.emissiveMap,dt=!!b.metalnessMap,R=!!b.roughnessMap,S=b.anisotropy>0,z=b.clearcoat>0,Q=b.dispersion>0,K=b.iridescence>0,nt=b.sheen>0,It=b.transmission>0,St=S&&!!b.anisotropyMap,wt=z&&!!b.clearcoatMap,Kt=z&&!!b.clearcoatNormalMap,gt=z&&!!b.clearcoatRoughnessMap,At=K&&!!b.iridescenceMap,Yt=K&&!!b.iridescenceThicknessMap,Jt=nt&&!!b.sheenColorMap,Ut=nt&&!!b.sheenRoughnessMap,ae=!!b.specularMap,ee=!!b.specularColorMap,Se=!!b.specularIntensityMap,V=It&&!!b.transmissionMap,Ct=It&&!!b.thicknessMap,it=!!b.gradientMap,pt=!!b.alphaMap,Ot=b.alphaTest>0,Nt=!!b.alphaHash,se=!!b.extensions,He=Ms;b.toneMapped&&(mt===null||mt.isXRRenderTarget===!0)&&(He=i.toneMapping);let kt={shaderID:ot,shaderType:b.type,shaderName:b.name,vertexShader:$t,fragmentShader:Z,defines:b.defines,customVertexShaderID:ut,customFragmentShaderID:Dt,isRawShaderMaterial:b.isRawShaderMaterial===!0,glslVersion:b.glslVersion,precision:p,batching:Pt,batchingColor:Pt&&B._colorsTexture!==null,instancing:qt,instancingColor:qt&&B.instanceColor!==null,instancingMorph:qt&&B.morphTexture!==null,supportsVertexTextures:u,outputColorSpace:mt===null?i.outputColorSpace:mt.isXRRenderTarget===!0?mt.texture.colorSpace:Es,alphaToCoverage:!!b.alphaToCoverage,map:te,matcap:at,envMap:et,envMapMode:et&&j.mapping,envMapCubeUVHeight:$,aoMap:D,lightMap:vt,bumpMap:st,normalMap:ct,displacementMap:u&&rt,emissiveMap:Tt,normalMapObjectSpace:ct&&b.normalMapType===Fx,normalMapTangentSpace:ct&&b.normalMapType===Nx,metalnessMap:dt,roughnessMap:R,anisotropy:S,anisotropyMap:St,clearcoat:z,clearcoatMap:wt,clearcoatNormalMap:Kt,clearcoatRoughnessMap:gt,dispersion:Q,iridescence:K,iridescenceMap:At,iridescenceThicknessMap:Yt,sheen:nt,sheenColorMap:Jt,sheenRoughnessMap:Ut,specularMap:ae,specularColorMap:ee,specularIntensityMap:Se,transmission:It,transmissionMap:V,thicknessMap:Ct,gradientMap:it,opaque:b.transparent===!1&&b.blending===Jr&&b.alphaToCoverage===!1,alphaMap:pt,alphaTest:Ot,alphaHash:Nt,combine:b.combine,mapUv:te&&x(b.map.channel),aoMapUv:D&&x(b.aoMap.channel),lightMapUv:vt&&x(b.lightMap.channel),bumpMapUv:st&&x(b.bumpMap.channel),normalMapUv:ct&&x(b.normalMap.channel),displacementMapUv:rt&&x(b.displacementMap.channel),emissiveMapUv:Tt&&x(b.emissiveMap.channel),metalnessMapUv:dt&&x(b.metalnessMap.channel),roughnessMapUv:R&&x(b.roughnessMap.channel),anisotropyMapUv:St&&x(b.anisotropyMap.channel),clearcoatMapUv:wt&&x(b.clearcoatMap.channel),clearcoatNormalMapUv:Kt&&x(b.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:gt&&x(b.clearcoatRoughnessMap.channel),iridescenceMapUv:At&&x(b.iridescenceMap.channel),iridescenceThicknessMapUv:Yt&&x(b.iridescenceThicknessMap.channel),sheenColorMapUv:Jt&&x(b.sheenColorMap.channel),sheenRoughnessMapUv:Ut&&x(b.sheenRoughnessMap.channel),specularMapUv:ae&&x(b.specularMap.channel),specularColorMapUv:ee&&x(b.specularColorMap.channel),specularIntensityMapUv:Se&&x(b.specularIntensityMap.channel),transmissionMapUv:V&&x(b.transmissionMap.channel),thicknessMapUv:Ct&&x(b.thicknessMap.channel),alphaMapUv:pt&&x(b.alphaMap.channel),vertexTangents:!!k.attributes.tangent&&(ct||S),vertexColors:b.vertexColors,vertexAlphas:b.vertexColors===!0&&!!k.attributes.color&&k.attributes.color.itemSize===4,pointsUvs:B.isPoints===!0&&!!k.attributes.uv&&(te||pt),fog:!!W,useFog:b.fog===!0,fogExp2:!!W&&W.isFogExp2,flatShading:b.flatShading===!0,sizeAttenuation:b.sizeAttenuation===!0,logarithmicDepthBuffer:f,reverseDepthBuffer:Ft,skinning:B.isSkinnedMesh===!0,morphTargets:k.morphAttributes.position!==void 0,morphNormals:k.morphAttributes.normal!==void 0,morphColors:k.morphAttributes.color!==void 0,morphTargetsCount:ft,morphTextureStride:_t,numDirLights:y.directional.length,numPointLights:y.point.length,numSpotLights:y.spot.length,numSpotLightMaps:y.spotLightMap.length,numRectAreaLights:y.rectArea.length,numHemiLights:y.hemi.length,numDirLightShadows:y.directionalShadowMap.length,numPointLightShadows:y.pointShadowMap.length,numSpotLightShadows:y.spotShadowMap.length,numSpotLightShadowsWithMaps:y.numSpotLightShadowsWithMaps,numLightProbes:y.numLightProbes,numClippingPlanes:o.numPlanes,numClipIntersection:o.numIntersection,dithering:b.dithering,shadowMapEnabled:i.shadowMap.enabled&&C.length>0,shadowMapType:i.shadowMap.type,toneMapping:He,decodeVideoTexture:te&&b.map.isVideoTexture===!0&&ge.getTransfer(b.map.colorSpace)===Ie,decodeVideoTextureEmissive:Tt&&b.emissiveMap.isVideoTexture===!0&&ge.getTransfer(b.emissiveMap.colorSpace)===Ie,premultipliedAlpha:b.premultipliedAlpha,doubleSided:b.side===gi,flipSided:b.side===Fn,useDepthPacking:b.depthPacking>=0,depthPacking:b.depthPacking||0,index0AttributeName:b.index0AttributeName,extensionClipCullDistance:se&&b.extensions.clipCullDistance===!0&&n.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(se&&b.extensions.multiDraw===!0||Pt)&&n.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:n.has("KHR_parallel_shader_compile"),customProgramCacheKey:b.customProgramCacheKey()};return kt.vertexUv1s=c.has(1),kt.vertexUv2s=c.has(2),kt.vertexUv3s=c.has(3),c.clear(),kt}function d(b){let y=[];if(b.shaderID?y.push(b.shaderID):(y.push(b.customVertexShaderID),y.push(b.customFragmentShaderID)),b.defines!==void 0)for(let C in b.defines)y.push(C),y.push(b.defines[C]);return b.isRawShaderMaterial===!1&&(E(y,b),M(y,b),y.push(i.outputColorSpace)),y.push(b.customProgramCacheKey),y.join()}function E(b,y){b.push(y.precision),b.push(y.outputColorSpace),b.push(y.envMapMode),b.push(y.envMapCubeUVHeight),b.push(y.mapUv),b.push(y.alphaMapUv),b.push(y.lightMapUv),b.push(y.aoMapUv),b.push(y.bumpMapUv),b.push(y.normalMapUv),b.push(y.displacementMapUv),b.push(y.emissiveMapUv),b.push(y.metalnessMapUv),b.push(y.roughnessMapUv),b.push(y.anisotropyMapUv),b.push(y.clearcoatMapUv),b.push(y.clearcoatNormalMapUv),b.push(y.clearcoatRoughnessMapUv),b.push(y.iridescenceMapUv),b.push(y.iridescenceThicknessMapUv),b.push(y.sheenColorMapUv),b.push(y.sheenRoughnessMapUv),b.push(y.specularMapUv),b.push(y.specularColorMapUv),b.push(y.specularIntensityMapUv),b.push(y.transmissionMapUv),b.push(y.thicknessMapUv),b.push(y.combine),b.push(y.fogExp2),b.push(y.sizeAttenuation),b.push(y.morphTargetsCount),b.push(y.morphAttributeCount),b.push(y.numDirLights),b.push(y.numPointLights),b.push(y.numSpotLights),b.push(y.numSpotLightMaps),b.push(y.numHemiLights),b.push(y.numRectAreaLights),b.push(y.numDirLightShadows),b.push(y.numPointLightShadows),b.push(y.numSpotLightShadows),b.push(y.numSpotLightShadowsWithMaps),b.push(y.numLightProbes),b.push(y.shadowMapType),b.push(y.toneMapping),b.push(y.numClippingPlanes),b.push(y.numClipIntersection),b.push(y.depthPacking)}function M(b,y){a.disableAll(),y.supportsVertexTextures&&a.enable(0),y.instancing&&a.enable(1),y.instancingColor&&a.enable(2),y.instancingMorph&&a.enable(3),y.matcap&&a.enable(4),y.envMap&&a.enable(5),y.normalMapObjectSpace&&a.enable(6),y.normalMapTangentSpace&&a.enable(7),y.clearcoat&&a.enable(8),y.iridescence&&a.enable(9),y.alphaTest&&a.enable(10),y.vertexColors&&a.enable(11),y.vertexAlphas&&a.enable(12),y.vertexUv1s&&a.enable(13),y.vertexUv2s&&a.enable(14),y.vertexUv3s&&a.enable(15),y.vertexTangents&&a.enable(16),y.anisotropy&&a.enable(17),y.alphaHash&&a.enable(18),y.batching&&a.enable(19),y.dispersion&&a.enable(20),y.batchingColor&&a.enable(21),b.push(a.mask),a.disableAll(),y.fog&&a.enable(0),y.useFog&&a.enable(1),y.flatShading&&a.enable(2),y.logarithmicDepthBuffer&&a.enable(3),y.reverseDepthBuffer&&a.enable(4),y.skinning&&a.enable(5),y.morphTargets&&a.enable(6),y.morphNormals&&a.enable(7),y.morphColors&&a.enable(8),y.premultipliedAlpha&&a.enable(9),y.shadowMapEnabled&&a.enable(10),y.doubleSided&&a.enable(11),y.flipSided&&a.enable(12),y.useDepthPacking&&a.enable(13),y.dithering&&a.enable(14),y.transmission&&a.enable(15),y.sheen&&a.enable(16),y.opaque&&a.enable(17),y.pointsUvs&&a.enable(18),y.decodeVideoTexture&&a.enable(19),y.decodeVideoTextureEmissive&&a.enable(20),y.alphaToCoverage&&a.enable(21),b.push(a.mask)}function v(b){let y=g[b.type],C;if(y){let F=Ln[y];C=Wl.clone(F.uniforms)}else C=b.uniforms;return C}function P(b,y){let C;for(let F=0,B=h.length;F<B;F++){let W=h[F];if(W.cacheKey===y){C=W,++C.usedTimes;break}}return C===void 0&&(C=new Pb(i,y,b,r),h.push(C)),C}function T(b){if(--b.usedTimes===0){let y=h.indexOf(b);h[y]=h[h.length-1],h.pop(),b.destroy()}}function I(b){l.remove(b)}function L(){l.dispose()}return{getParameters:m,getProgramCacheKey:d,getUniforms:v,acquireProgram:P,releaseProgram:T,releaseShaderCache:I,programs:h,dispose:L}}function Db(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function Ub(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.z!==t.z?i.z-t.z:i.id-t.id}function xm(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function vm(){let i=[],t=0,e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(f,u,p,g,x,m){let d=i[t];return d===void 0?(d={id:f.id,object:f,geometry:u,material:p,groupOrder:g,renderOrder:f.renderOrder,z:x,group:m},i[t]=d):(d.id=f.id,d.object=f,d.geometry=u,d.material=p,d.groupOrder=g,d.renderOrder=f.renderOrder,d.z=x,d.group=m),t++,d}function a(f,u,p,g,x,m){let d=o(f,u,p,g,x,m);p.transmission>0?n.push(d):p.transparent===!0?s.push(d):e.push(d)}function l(f,u,p,g,x,m){let d=o(f,u,p,g,x,m);p.transmission>0?n.unshift(d):p.transparent===!0?s.unshift(d):e.unshift(d)}function c(f,u){e.length>1&&e.sort(f||Ub),n.length>1&&n.sort(u||xm),s.length>1&&s.sort(u||xm)}function h(){for(let f=t,u=i.length;f<u;f++){let p=i[f];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:a,unshift:l,finish:h,sort:c}}function Nb(){let i=new WeakMap;function t(n,s){let r=i.get(n),o;return r===void 0?(o=new vm,i.set(n,[o])):s>=r.length?(o=new vm,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function Fb(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"DirectionalLight":e={direction:new O,color:new xe};break;case"SpotLight":e={position:new O,direction:new O,color:new xe,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new O,color:new xe,distance:0,decay:0};break;case"HemisphereLight":e={direction:new O,skyColor:new xe,groundColor:new xe};break;case"RectAreaLight":e={color:new xe,position:new O,halfWidth:new O,halfHeight:new O};break}return i[t.id]=e,e}}}function Ob(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new bt};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new bt};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new bt,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}function zb(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function kb(i){let t=new Fb,e=Ob(),n={version:0,hash:{directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new O);let s=new O,r=new Oe,o=new Oe;function a(c){let h=0,f=0,u=0;for(let b=0;b<9;b++)n.probe[b].set(0,0,0);let p=0,g=0,x=0,m=0,d=0,E=0,M=0,v=0,P=0,T=0,I=0;c.sort(zb);for(let b=0,y=c.length;b<y;b++){let C=c[b],F=C.color,B=C.intensity,W=C.distance,k=C.shadow&&C.shadow.map?C.shadow.map.texture:null;if(C.isAmbientLight)h+=F.r*B,f+=F.g*B,u+=F.b*B;else if(C.isLightProbe){for(let q=0;q<9;q++)n.probe[q].addScaledVector(C.sh.coefficients[q],B);I++}else if(C.isDirectionalLight){let q=t.get(C);if(q.color.copy(C.color).multiplyScalar(C.intensity),C.castShadow){let j=C.shadow,$=e.get(C);$.shadowIntensity=j.intensity,$.shadowBias=j.bias,$.shadowNormalBias=j.normalBias,$.shadowRadius=j.radius,$.shadowMapSize=j.mapSize,n.directionalShadow[p]=$,n.directionalShadowMap[p]=k,n.directionalShadowMatrix[p]=C.shadow.matrix,E++}n.directional[p]=q,p++}else if(C.isSpotLight){let q=t.get(C);q.position.setFromMatrixPosition(C.matrixWorld),q.color.copy(F).multiplyScalar(B),q.distance=W,q.coneCos=Math.cos(C.angle),q.penumbraCos=Math.cos(C.angle*(1-C.penumbra)),q.decay=C.decay,n.spot[x]=q;let j=C.shadow;if(C.map&&(n.spotLightMap[P]=C.map,P++,j.updateMatrices(C),C.castShadow&&T++),n.spotLightMatrix[x]=j.matrix,C.castShadow){let $=e.get(C);$.shadowIntensity=j.intensity,$.shadowBias=j.bias,$.shadowNormalBias=j.normalBias,$.shadowRadius=j.radius,$.shadowMapSize=j.mapSize,n.spotShadow[x]=$,n.spotShadowMap[x]=k,v++}x++}else if(C.isRectAreaLight){let q=t.get(C);q.color.copy(F).multiplyScalar(B),q.halfWidth.set(C.width*.5,0,0),q.halfHeight.set(0,C.height*.5,0),n.rectArea[m]=q,m++}else if(C.isPointLight){let q=t.get(C);if(q.color.copy(C.color).multiplyScalar(C.intensity),q.distance=C.distance,q.decay=C.decay,C.castShadow){let j=C.shadow,$=e.get(C);$.shadowIntensity=j.intensity,$.shadowBias=j.bias,$.shadowNormalBias=j.normalBias,$.shadowRadius=j.radius,$.shadowMapSize=j.mapSize,$.shadowCameraNear=j.camera.near,$.shadowCameraFar=j.camera.far,n.pointShadow[g]=$,n.pointShadowMap[g]=k,n.pointShadowMatrix[g]=C.shadow.matrix,M++}n.point[g]=q,g++}else if(C.isHemisphereLight){let q=t.get(C);q.skyColor.copy(C.color).multiplyScalar(B),q.groundColor.copy(C.groundColor).multiplyScalar(B),n.hemi[d]=q,d++}}m>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Et.LTC_FLOAT_1,n.rectAreaLTC2=Et.LTC_FLOAT_2):(n.rectAreaLTC1=Et.LTC_HALF_1,n.rectAreaLTC2=Et.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=f,n.ambient[2]=u;let L=n.hash;(L.directionalLength!==p||L.pointLength!==g||L.spotLength!==x||L.rectAreaLength!==m||L.hemiLength!==d||L.numDirectionalShadows!==E||L.numPointShadows!==M||L.numSpotShadows!==v||L.numSpotMaps!==P||L.numLightProbes!==I)&&(n.directional.length=p,n.spot.length=x,n.rectArea.length=m,n.point.length=g,n.hemi.length=d,n.directionalShadow.length=E,n.directionalShadowMap.length=E,n.pointShadow.length=M,n.pointShadowMap.length=M,n.spotShadow.length=v,n.spotShadowMap.length=v,n.directionalShadowMatrix.length=E,n.pointShadowMatrix.length=M,n.spotLightMatrix.length=v+P-T,n.spotLightMap.length=P,n.numSpotLightShadowsWithMaps=T,n.numLightProbes=I,L.directionalLength=p,L.pointLength=g,L.spotLength=x,L.rectAreaLength=m,L.hemiLength=d,L.numDirectionalShadows=E,L.numPointShadows=M,L.numSpotShadows=v,L.numSpotMaps=P,L.numLightProbes=I,n.version=Bb++)}function l(c,h){let f=0,u=0,p=0,g=0,x=0,m=h.matrixWorldInverse;for(let d=0,E=c.length;d<E;d++){let M=c[d];if(M.isDirectionalLight){let v=n.directional[f];v.direction.setFromMatrixPosition(M.matrixWorld),s.setFromMatrixPosition(M.target.matrixWorld),v.direction.sub(s),v.direction.transformDirection(m),f++}else if(M.isSpotLight){let v=n.spot[p];v.position.setFromMatrixPosition(M.matrixWorld),v.position.applyMatrix4(m),v.direction.setFromMatrixPosition(M.matrixWorld),s.setFromMatrixPosition(M.target.matrixWorld),v.direction.sub(s),v.direction.transformDirection(m),p++}else if(M.isRectAreaLight){let v=n.rectArea[g];v.position.setFromMatrixPosition(M.matrixWorld),v.position.applyMatrix4(m),o.identity(),r.copy(M.matrixWorld),r.premultiply(m),o.extractRotation(r),v.halfWidth.set(M.width*.5,0,0),v.halfHeight.set(0,M.height*.5,0),v.halfWidth.applyMatrix4(o),v.halfHeight.applyMatrix4(o),g++}else if(M.isPointLight){let v=n.point[u];v.position.setFromMatrixPosition(M.matrixWorld),v.position.applyMatrix4(m),u++}else if(M.isHemisphereLight){let v=n.hemi[x];v.direction.setFromMatrixPosition(M.matrixWorld),v.direction.transformDirection(m),x++}}}return{setup:a,setupView:l,state:n}}function ym(i){let t=new kb(i),e=[],n=[];function s(h){c.camera=h,e.length=0,n.length=0}function r(h){e.push(h)}function o(h){n.push(h)}function a(){t.setup(e)}function l(h){t.setupView(e,h)}let c={lightsArray:e,shadowsArray:n,camera:null,lights:t,transmissionRenderTarget:{}};return{init:s,state:c,setupLights:a,setupLightsView:l,pushLight:r,pushShadow:o}}function Vb(i){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new ym(i),t.set(s,[a])):r>=o.length?(a=new ym(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}function Wb(i,t,e){let n=new _l,s=new bt,r=new bt,o=new Fe,a=new vu({depthPacking:Ux}),l=new yu,c={},h=e.maxTextureSize,f={[bs]:Fn,[Fn]:bs,[gi]:gi},u=new On({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new bt},radius:{value:4}},vertexShader:Hb,fragmentShader:Gb}),p=u.clone();p.defines.HORIZONTAL_PASS=1;let g=new Ye;g.setAttribute("position",new Yn(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let x=new bn(g,u),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=Lm;let d=this.type;this.render=function(T,I,L){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||T.length===0)return;let b=i.getRenderTarget(),y=i.getActiveCubeFace(),C=i.getActiveMipmapLevel(),F=i.state;F.setBlending(ys),F.buffers.color.setClear(1,1,1,1),F.buffers.depth.setTest(!0),F.setScissorTest(!1);let B=d!==Ji&&this.type===Ji,W=d===Ji&&this.type!==Ji;for(let k=0,q=T.length;k<q;k++){let j=T[k],$=j.shadow;if($===void 0){console.warn("THREE.WebGLShadowMap:",j,"has no shadow.");continue}if($.autoUpdate===!1&&$.needsUpdate===!1)continue;s.copy($.mapSize);let ot=$.getFrameExtents();if(s.multiply(ot),r.copy($.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/ot.x),s.x=r.x*ot.x,$.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/ot.y),s.y=r.y*ot.y,$.mapSize.y=r.y)),$.map===null||B===!0||W===!0){let ft=this.type!==Ji?{minFilter:vi,magFilter:vi}:{};$.map!==null&&$.map.dispose(),$.map=new ns(s.x,s.y,ft),$.map.texture.name=j.name+".shadowMap",$.camera.updateProjectionMatrix()}i.setRenderTarget($.map),i.clear();let lt=$.getViewportCount();for(let ft=0;ft<lt;ft++){let _t=$.getViewport(ft);o.set(r.x*_t.x,r.y*_t.y,r.x*_t.z,r.y*_t.w),F.viewport(o),$.updateMatrices(j,ft),n=$.getFrustum(),v(I,L,$.camera,j,this.type)}$.isPointLightShadow!==!0&&this.type===Ji&&E($,L),$.needsUpdate=!1}d=this.type,m.needsUpdate=!1,i.setRenderTarget(b,y,C)};function E(T,I){let L=t.update(x);u.defines.VSM_SAMPLES!==T.blurSamples&&(u.defines.VSM_SAMPLES=T.blurSamples,p.defines.VSM_SAMPLES=T.blurSamples,u.needsUpdate=!0,p.needsUpdate=!0),T.mapPass===null&&(T.mapPass=new ns(s.x,s.y)),u.uniforms.shadow_pass.value=T.map.texture,u.uniforms.resolution.value=T.mapSize,u.uniforms.radius.value=T.radius,i.setRenderTarget(T.mapPass),i.clear(),i.renderBufferDirect(I,null,L,u,x,null),p.uniforms.shadow_pass.value=T.mapPass.texture,p.uniforms.resolution.value=T.mapSize,p.uniforms.radius.value=T.radius,i.setRenderTarget(T.map),i.clear(),i.renderBufferDirect(I,null,L,p,x,null)}function M(T,I,L,b){let y=null,C=L.isPointLight===!0?T.customDistanceMaterial:T.customDepthMaterial;if(C!==void 0)y=C;else if(y=L.isPointLight===!0?l:a,i.localClippingEnabled&&I.clipShadows===!0&&Array.isArray(I.clippingPlanes)&&I.clippingPlanes.length!==0||I.displacementMap&&I.displacementScale!==0||I.alphaMap&&I.alphaTest>0||I.map&&I.alphaTest>0){let F=y.uuid,B=I.uuid,W=c[F];W===void 0&&(W={},c[F]=W);let k=W[B];k===void 0&&(k=y.clone(),W[B]=k,I.addEventListener("dispose",P)),y=k}if(y.visible=I.visible,y.wireframe=I.wireframe,b===Ji?y.side=I.shadowSide!==null?I.shadowSide:I.side:y.side=I.shadowSide!==null?I.shadowSide:f[I.side],y.alphaMap=I.alphaMap,y.alphaTest=I.alphaTest,y.map=I.map,y.clipShadows=I.clipShadows,y.clippingPlanes=I.clippingPlanes,y.clipIntersection=I.clipIntersection,y.displacementMap=I.displacementMap,y.displacementScale=I.displacementScale,y.displacementBias=I.displacementBias,y.wireframeLinewidth=I.wireframeLinewidth,y.linewidth=I.linewidth,L.isPointLight===!0&&y.isMeshDistanceMaterial===!0){let F=i.properties.get(y);F.light=L}return y}function v(T,I,L,b,y){if(T.visible===!1)return;if(T.layers.test(I.layers)&&(T.isMesh||T.isLine||T.isPoints)&&(T.castShadow||T.receiveShadow&&y===Ji)&&(!T.frustumCulled||n.intersectsObject(T))){T.modelViewMatrix.multiplyMatrices(L.matrixWorldInverse,T.matrixWorld);let B=t.update(T),W=T.material;if(Array.isArray(W)){let k=B.groups;for(let q=0,j=k.length;q<j;q++){let $=k[q],ot=W[$.materialIndex];if(ot&&ot.visible){let lt=M(T,ot,b,y);T.onBeforeShadow(i,T,I,L,B,lt,$),i.renderBufferDirect(L,null,B,lt,T,$),T.onAfterShadow(i,T,I,L,B,lt,$)}}}else if(W.visible){let k=M(T,W,b,y);T.onBeforeShadow(i,T,I,L,B,k,null),i.renderBufferDirect(L,null,B,k,T,null),T.onAfterShadow(i,T,I,L,B,k,null)}}let F=T.children;for(let B=0,W=F.length;B<W;B++)v(F[B],I,L,b,y)}function P(T){T.target.removeEventListener("dispose",P);for(let L in c){let b=c[L],y=T.target.uuid;y in b&&(b[y].dispose(),delete b[y])}}}function qb(i,t){function e(){let V=!1,Ct=new Fe,it=null,pt=new Fe(0,0,0,0);return{setMask:function(Ot){it!==Ot&&!V&&(i.colorMask(Ot,Ot,Ot,Ot),it=Ot)},setLocked:function(Ot){V=Ot},setClear:function(Ot,Nt,se,He,kt){kt===!0&&(Ot*=He,Nt*=He,se*=He),Ct.set(Ot,Nt,se,He),pt.equals(Ct)===!1&&(i.clearColor(Ot,Nt,se,He),pt.copy(Ct))},reset:function(){V=!1,it=null,pt.set(-1,0,0,0)}}}function n(){let V=!1,Ct=!1,it=null,pt=null,Ot=null;return{setReversed:function(Nt){if(Ct!==Nt){let se=t.get("EXT_clip_control");Ct?se.clipControlEXT(se.LOWER_LEFT_EXT,se.ZERO_TO_ONE_EXT):se.clipControlEXT(se.LOWER_LEFT_EXT,se.NEGATIVE_ONE_TO_ONE_EXT);let He=Ot;Ot=null,this.setClear(He)}Ct=Nt},getReversed:function(){return Ct},setTest:function(Nt){Nt?mt(i.DEPTH_TEST):Ft(i.DEPTH_TEST)},setMask:function(Nt){it!==Nt&&!V&&(i.depthMask(Nt),it=Nt)},setFunc:function(Nt){if(Ct&&(Nt=Xb[Nt]),pt!==Nt){switch(Nt){case bh:i.depthFunc(i.NEVER);break;case wh:i.depthFunc(i.ALWAYS);break;case Eh:i.depthFunc(i.LESS);break;case to:i.depthFunc(i.LEQUAL);break;case Ah:i.depthFunc(i.EQUAL);break;case Th:i.depthFunc(i.GEQUAL);break;case Ch:i.depthFunc(i.GREATER);break;case Rh:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}pt=Nt}},setLocked:function(Nt){V=Nt},setClear:function(Nt){Ot!==Nt&&(Ct&&(Nt=1-Nt),i.clearDepth(Nt),Ot=Nt)},reset:function(){V=!1,it=null,pt=null,Ot=null,Ct=!1}}}function s(){let V=!1,Ct=null,it=null,pt=null,Ot=null,Nt=null,se=null,He=null,kt=null;return{setTest:function(he){V||(he?mt(i.STENCIL_TEST):Ft(i.STENCIL_TEST))},setMask:function(he){Ct!==he&&!V&&(i.stencilMask(he),Ct=he)},setFunc:function(he,Re,ln){(it!==he||pt!==Re||Ot!==ln)&&(i.stencilFunc(he,Re,ln),it=he,pt=Re,Ot=ln)},setOp:function(he,Re,ln){(Nt!==he||se!==Re||He!==ln)&&(i.stencilOp(he,Re,ln),Nt=he,se=Re,He=ln)},setLocked:function(he){V=he},setClear:function(he){kt!==he&&(i.clearStencil(he),kt=he)},reset:function(){V=!1,Ct=null,it=null,pt=null,Ot=null,Nt=null,se=null,He=null,kt=null}}}let r=new e,o=new n,a=new s,l=new WeakMap,c=new WeakMap,h={},f={},u=new WeakMap,p=[],g=null,x=!1,m=null,d=null,E=null,M=null,v=null,P=null,T=null,I=new xe(0,0,0),L=0,b=!1,y=null,C=null,F=null,B=null,W=null,k=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),q=!1,j=0,$=i.getParameter(i.VERSION);$.indexOf("WebGL")!==-1?(j=parseFloat(/^WebGL (\d)/.exec($)[1]),q=j>=1):$.indexOf("OpenGL ES")!==-1&&(j=parseFloat(/^OpenGL ES (\d)/.exec($)[1]),q=j>=2);let ot=null,lt={},ft=i.getParameter(i.SCISSOR_BOX),_t=i.getParameter(i.VIEWPORT),$t=new Fe().fromArray(ft),Z=new Fe().fromArray(_t);function ut(V,Ct,it,pt){let Ot=new Uint8Array(4),Nt=i.createTexture();i.bindTexture(V,Nt),i.texParameteri(V,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(V,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let se=0;se<it;se++)V===i.TEXTURE_3D||V===i.TEXTURE_2D_ARRAY?i.texImage3D(Ct,0,i.RGBA,1,1,pt,0,i.RGBA,i.UNSIGNED_BYTE,Ot):i.texImage2D(Ct+se,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,Ot);return Nt}let Dt={};Dt[i.TEXTURE_2D]=ut(i.TEXTURE_2D,i.TEXTURE_2D,1),Dt[i.TEXTURE_CUBE_MAP]=ut(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Dt[i.TEXTURE_2D_ARRAY]=ut(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Dt[i.TEXTURE_3D]=ut(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),mt(i.DEPTH_TEST),o.setFunc(to),st(!1),ct(Sp),mt(i.CULL_FACE),D(ys);function mt(V){h[V]!==!0&&(i.enable(V),h[V]=!0)}function Ft(V){h[V]!==!1&&(i.disable(V),h[V]=!1)}function qt(V,Ct){return f[V]!==Ct?(i.bindFramebuffer(V,Ct),f[V]=Ct,V===i.DRAW_FRAMEBUFFER&&(f[i.FRAMEBUFFER]=Ct),V===i.FRAMEBUFFER&&(f[i.DRAW_FRAMEBUFFER]=Ct),!0):!1}function Pt(V,Ct){let it=p,pt=!1;if(V){it=u.get(Ct),it===void 0&&(it=[],u.set(Ct,it));let Ot=V.textures;if(it.length!==Ot.length||it[0]!==i.COLOR_ATTACHMENT0){for(let Nt=0,se=Ot.length;Nt<se;Nt++)it[Nt]=i.COLOR_ATTACHMENT0+Nt;it.length=Ot.length,pt=!0}}else it[0]!==i.BACK&&(it[0]=i.BACK,pt=!0);pt&&i.drawBuffers(it)}function te(V){return g!==V?(i.useProgram(V),g=V,!0):!1}let at={[Ys]:i.FUNC_ADD,[ox]:i.FUNC_SUBTRACT,[ax]:i.FUNC_REVERSE_SUBTRACT};at[lx]=i.MIN,at[cx]=i.MAX;let et={[hx]:i.ZERO,[ux]:i.ONE,[fx]:i.SRC_COLOR,[Mh]:i.SRC_ALPHA,[xx]:i.SRC_ALPHA_SATURATE,[gx]:i.DST_COLOR,[px]:i.DST_ALPHA,[dx]:i.ONE_MINUS_SRC_COLOR,[Sh]:i.ONE_MINUS_SRC_ALPHA,[_x]:i.ONE_MINUS_DST_COLOR,[mx]:i.ONE_MINUS_DST_ALPHA,[vx]:i.CONSTANT_COLOR,[yx]:i.ONE_MINUS_CONSTANT_COLOR,[Mx]:i.CONSTANT_ALPHA,[Sx]:i.ONE_MINUS_CONSTANT_ALPHA};function D(V,Ct,it,pt,Ot,Nt,se,He,kt,he){if(V===ys){x===!0&&(Ft(i.BLEND),x=!1);return}if(x===!1&&(mt(i.BLEND),x=!0),V!==rx){if(V!==m||he!==b){if((d!==Ys||v!==Ys)&&(i.blendEquation(i.FUNC_ADD),d=Ys,v=Ys),he)switch(V){case Jr:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case bp:i.blendFunc(i.ONE,i.ONE);break;case wp:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Ep:i.blendFuncSeparate(i.ZERO,i.SRC_COLOR,i.ZERO,i.SRC_ALPHA);break;default:console.error("THREE.WebGLState: Invalid blending: ",V);break}else switch(V){case Jr:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case bp:i.blendFunc(i.SRC_ALPHA,i.ONE);break;case wp:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Ep:i.blendFunc(i.ZERO,i.SRC_COLOR);break;default:console.error("THREE.WebGLState: Invalid blending: ",V);break}E=null,M=null,P=null,T=null,I.set(0,0,0),L=0,m=V,b=he}return}Ot=Ot||Ct,Nt=Nt||it,se=se||pt,(Ct!==d||Ot!==v)&&(i.blendEquationSeparate(at[Ct],at[Ot]),d=Ct,v=Ot),(it!==E||pt!==M||Nt!==P||se!==T)&&(i.blendFuncSeparate(et[it],et[pt],et[Nt],et[se]),E=it,M=pt,P=Nt,T=se),(He.equals(I)===!1||kt!==L)&&(i.blendColor(He.r,He.g,He.b,kt),I.copy(He),L=kt),m=V,b=!1}function vt(V,Ct){V.side===gi?Ft(i.CULL_FACE):mt(i.CULL_FACE);let it=V.side===Fn;Ct&&(it=!it),st(it),V.blending===Jr&&V.transparent===!1?D(ys):D(V.blending,V.blendEquation,V.blendSrc,V.blendDst,V.blendEquationAlpha,V.blendSrcAlpha,V.blendDstAlpha,V.blendColor,V.blendAlpha,V.premultipliedAlpha),o.setFunc(V.depthFunc),o.setTest(V.depthTest),o.setMask(V.depthWrite),r.setMask(V.colorWrite);let pt=V.stencilWrite;a.setTest(pt),pt&&(a.setMask(V.stencilWriteMask),a.setFunc(V.stencilFunc,V.stencilRef,V.stencilFuncMask),a.setOp(V.stencilFail,V.stencilZFail,V.stencilZPass)),Tt(V.polygonOffset,V.polygonOffsetFactor,V.polygonOffsetUnits),V.alphaToCoverage===!0?mt(i.SAMPLE_ALPHA_TO_COVERAGE):Ft(i.SAMPLE_ALPHA_TO_COVERAGE)}function st(V){y!==V&&(V?i.frontFace(i.CW):i.frontFace(i.CCW),y=V)}function ct(V){V!==nx?(mt(i.CULL_FACE),V!==C&&(V===Sp?i.cullFace(i.BACK):V===ix?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Ft(i.CULL_FACE),C=V}function rt(V){V!==F&&(q&&i.lineWidth(V),F=V)}function Tt(V,Ct,it){V?(mt(i.POLYGON_OFFSET_FILL),(B!==Ct||W!==it)&&(i.polygonOffset(Ct,it),B=Ct,W=it)):Ft(i.POLYGON_OFFSET_FILL)}function dt(V){V?mt(i.SCISSOR_TEST):Ft(i.SCISSOR_TEST)}function R(V){V===void 0&&(V=i.TEXTURE0+k-1),ot!==V&&(i.activeTexture(V),ot=V)}function S(V,Ct,it){it===void 0&&(ot===null?it=i.TEXTURE0+k-1:it=ot);let pt=lt[it];pt===void 0&&(pt={type:void 0,texture:void 0},lt[it]=pt),(pt.type!==V||pt.texture!==Ct)&&(ot!==it&&(i.activeTexture(it),ot=it),i.bindTexture(V,Ct||Dt[V]),pt.type=V,pt.texture=Ct)}function z(){let V=lt[ot];V!==void 0&&V.type!==void 0&&(i.bindTexture(V.type,null),V.type=void 0,V.texture=void 0)}function Q(){try{i.compressedTexImage2D.apply(i,arguments)}catch(V){console.error("THREE.WebGLState:",V)}}function K(){try{i.compressedTexImage3D.apply(i,arguments)}catch(V){console.error("THREE.WebGLState:",V)}}function nt(){try{i.texSubImage2D.apply(i,arguments)}catch(V){console.error("THREE.WebGLState:",V)}}function It(){try{i.texSubImage3D.apply(i,arguments)}catch(V){console.error("THREE.WebGLState:",V)}}function St(){try{i.compressedTexSubImage2D.apply(i,arguments)}catch(V){console.error("THREE.WebGLState:",V)}}function wt(){try{i.compressedTexSubImage3D.apply(i,arguments)}catch(V){console.error("THREE.WebGLState:",V)}}function Kt(){try{i.texStorage2D.apply(i,arguments)}catch(V){console.error("THREE.WebGLState:",V)}}function gt(){try{i.texStorage3D.apply(i,arguments)}catch(V){console.error("THREE.WebGLState:",V)}}function At(){try{i.texImage2D.apply(i,arguments)}catch(V){console.error("THREE.WebGLState:",V)}}function Yt(){try{i.texImage3D.apply(i,arguments)}catch(V){console.error("THREE.WebGLState:",V)}}function Jt(V){$t.equals(V)===!1&&(i.scissor(V.x,V.y,V.z,V.w),$t.copy(V))}function Ut(V){Z.equals(V)===!1&&(i.viewport(V.x,V.y,V.z,V.w),Z.copy(V))}function ae(V,Ct){let it=c.get(Ct);it===void 0&&(it=new WeakMap,c.set(Ct,it));let pt=it.get(V);pt===void 0&&(pt=i.getUniformBlockIndex(Ct,V.name),it.set(V,pt))}function ee(V,Ct){let pt=c.get(Ct).get(V);l.get(Ct)!==pt&&(i.uniformBlockBinding(Ct,pt,V.__bindingPointIndex),l.set(Ct,pt))}function Se(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),h={},ot=null,lt={},f={},u=new WeakMap,p=[],g=null,x=!1,m=null,d=null,E=null,M=null,v=null,P=null,T=null,I=new xe(0,0,0),L=0,b=!1,y=null,C=null,F=null,B=null,W=null,$t.set(0,0,i.canvas.width,i.canvas.height),Z.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:mt,disable:Ft,bindFramebuffer:qt,drawBuffers:Pt,useProgram:te,setBlending:D,setMaterial:vt,setFlipSided:st,setCullFace:ct,setLineWidth:rt,setPolygonOffset:Tt,setScissorTest:dt,activeTexture:R,bindTexture:S,unbindTexture:z,compressedTexImage2D:Q,compressedTexImage3D:K,texImage2D:At,texImage3D:Yt,updateUBOMapping:ae,uniformBlockBinding:ee,texStorage2D:Kt,texStorage3D:gt,texSubImage2D:nt,texSubImage3D:It,compressedTexSubImage2D:St,compressedTexSubImage3D:wt,scissor:Jt,viewport:Ut,reset:Se}}function Mm(i,t,e,n){let s=Yb(n);switch(e){case Bm:return i*t;case km:return i*t;case Vm:return i*t*2;case Hm:return i*t/s.components*s.byteLength;case $u:return i*t/s.components*s.byteLength;case Gm:return i*t*2/s.components*s.byteLength;case Zu:return i*t*2/s.components*s.byteLength;case zm:return i*t*3/s.components*s.byteLength;case xi:return i*t*4/s.components*s.byteLength;case Ju:return i*t*4/s.components*s.byteLength;case tl:case el:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case nl:case il:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Nh:case Oh:return Math.max(i,16)*Math.max(t,8)/4;case Uh:case Fh:return Math.max(i,8)*Math.max(t,8)/2;case Bh:case zh:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case kh:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Vh:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Hh:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case Gh:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case Wh:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case Xh:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case qh:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case Yh:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case $h:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case Zh:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case Jh:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case Kh:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case jh:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case Qh:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case tu:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case sl:case eu:case nu:return Math.ceil(i/4)*Math.ceil(t/4)*16;case Wm:case iu:return Math.ceil(i/4)*Math.ceil(t/4)*8;case su:case ru:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function Yb(i){switch(i){case es:case Nm:return{byteLength:1,components:1};case Bo:case Fm:case $o:return{byteLength:2,components:1};case qu:case Yu:return{byteLength:2,components:4};case js:case Xu:case ji:return{byteLength:4,components:1};case Om:return{byteLength:4,components:3}}throw new Error(`Unknown texture type ${i}.`)}function $b(i,t,e,n,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new bt,h=new WeakMap,f,u=new WeakMap,p=!1;try{p=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function g(R,S){return p?new OffscreenCanvas(R,S):al("canvas")}function x(R,S,z){let Q=1,K=dt(R);if((K.width>z||K.height>z)&&(Q=z/Math.max(K.width,K.height)),Q<1)if(typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&R instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&R instanceof ImageBitmap||typeof VideoFrame<"u"&&R instanceof VideoFrame){let nt=Math.floor(Q*K.width),It=Math.floor(Q*K.height);f===void 0&&(f=g(nt,It));let St=S?g(nt,It):f;return St.width=nt,St.height=It,St.getContext("2d").drawImage(R,0,0,nt,It),console.warn("THREE.WebGLRenderer: Texture has been resized from ("+K.width+"x"+K.height+") to ("+nt+"x"+It+")."),St}else return"data"in R&&console.warn("THREE.WebGLRenderer: Image in DataTexture is too big ("+K.width+"x"+K.height+")."),R;return R}function m(R){return R.generateMipmaps}function d(R){i.generateMipmap(R)}function E(R){return R.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:R.isWebGL3DRenderTarget?i.TEXTURE_3D:R.isWebGLArrayRenderTarget||R.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function M(R,S,z,Q,K=!1){if(R!==null){if(i[R]!==void 0)return i[R];console.warn("THREE.WebGLRenderer: Attempt to use non-existing WebGL internal format '"+R+"'")}let nt=S;if(S===i.RED&&(z===i.FLOAT&&(nt=i.R32F),z===i.HALF_FLOAT&&(nt=i.R16F),z===i.UNSIGNED_BYTE&&(nt=i.R8)),S===i.RED_INTEGER&&(z===i.UNSIGNED_BYTE&&(nt=i.R8UI),z===i.UNSIGNED_SHORT&&(nt=i.R16UI),z===i.UNSIGNED_INT&&(nt=i.R32UI),z===i.BYTE&&(nt=i.R8I),z===i.SHORT&&(nt=i.R16I),z===i.INT&&(nt=i.R32I)),S===i.RG&&(z===i.FLOAT&&(nt=i.RG32F),z===i.HALF_FLOAT&&(nt=i.RG16F),z===i.UNSIGNED_BYTE&&(nt=i.RG8)),S===i.RG_INTEGER&&(z===i.UNSIGNED_BYTE&&(nt=i.RG8UI),z===i.UNSIGNED_SHORT&&(nt=i.RG16UI),z===i.UNSIGNED_INT&&(nt=i.RG32UI),z===i.BYTE&&(nt=i.RG8I),z===i.SHORT&&(nt=i.RG16I),z===i.INT&&(nt=i.RG32I)),S===i.RGB_INTEGER&&(z===i.UNSIGNED_BYTE&&(nt=i.RGB8UI),z===i.UNSIGNED_SHORT&&(nt=i.RGB16UI),z===i.UNSIGNED_INT&&(nt=i.RGB32UI),z===i.BYTE&&(nt=i.RGB8I),z===i.SHORT&&(nt=i.RGB16I),z===i.INT&&(nt=i.RGB32I)),S===i.RGBA_INTEGER&&(z===i.UNSIGNED_BYTE&&(nt=i.RGBA8UI),z===i.UNSIGNED_SHORT&&(nt=i.RGBA16UI),z===i.UNSIGNED_INT&&(nt=i.RGBA32UI),z===i.BYTE&&(nt=i.RGBA8I),z===i.SHORT&&(nt=i.RGBA16I),z===i.INT&&(nt=i.RGBA32I)),S===i.RGB&&z===i.UNSIGNED_INT_5_9_9_9_REV&&(nt=i.RGB9_E5),S===i.RGBA){let It=K?Gl:ge.getTransfer(Q);z===i.FLOAT&&(nt=i.RGBA32F),z===i.HALF_FLOAT&&(nt=i.RGBA16F),z===i.UNSIGNED_BYTE&&(nt=It===Ie?i.SRGB8_ALPHA8:i.RGBA8),z===i.UNSIGNED_SHORT_4_4_4_4&&(nt=i.RGBA4),z===i.UNSIGNED_SHORT_5_5_5_1&&(nt=i.RGB5_A1)}return(nt===i.R16F||nt===i.R32F||nt===i.RG16F||nt===i.RG32F||nt===i.RGBA16F||nt===i.RGBA32F)&&t.get("EXT_color_buffer_float"),nt}function v(R,S){let z;return R?S===null||S===js||S===io?z=i.DEPTH24_STENCIL8:S===ji?z=i.DEPTH32F_STENCIL8:S===Bo&&(z=i.DEPTH24_STENCIL8,console.warn("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):S===null||S===js||S===io?z=i.DEPTH_COMPONENT24:S===ji?z=i.DEPTH_COMPONENT32F:S===Bo&&(z=i.DEPTH_COMPONENT16),z}function P(R,S){return m(R)===!0||R.isFramebufferTexture&&R.minFilter!==vi&&R.minFilter!==Pi?Math.log2(Math.max(S.width,S.height))+1:R.mipmaps!==void 0&&R.mipmaps.length>0?R.mipmaps.length:R.isCompressedTexture&&Array.isArray(R.image)?S.mipmaps.length:1}function T(R){let S=R.target;S.removeEventListener("dispose",T),L(S),S.isVideoTexture&&h.delete(S)}function I(R){let S=R.target;S.removeEventListener("dispose",I),y(S)}function L(R){let S=n.get(R);if(S.__webglInit===void 0)return;let z=R.source,Q=u.get(z);if(Q){let K=Q[S.__cacheKey];K.usedTimes--,K.usedTimes===0&&b(R),Object.keys(Q).length===0&&u.delete(z)}n.remove(R)}function b(R){let S=n.get(R);i.deleteTexture(S.__webglTexture);let z=R.source,Q=u.get(z);delete Q[S.__cacheKey],o.memory.textures--}function y(R){let S=n.get(R);if(R.depthTexture&&(R.depthTexture.dispose(),n.remove(R.depthTexture)),R.isWebGLCubeRenderTarget)for(let Q=0;Q<6;Q++){if(Array.isArray(S.__webglFramebuffer[Q]))for(let K=0;K<S.__webglFramebuffer[Q].length;K++)i.deleteFramebuffer(S.__webglFramebuffer[Q][K]);else i.deleteFramebuffer(S.__webglFramebuffer[Q]);S.__webglDepthbuffer&&i.deleteRenderbuffer(S.__webglDepthbuffer[Q])}else{if(Array.isArray(S.__webglFramebuffer))for(let Q=0;Q<S.__webglFramebuffer.length;Q++)i.deleteFramebuffer(S.__webglFramebuffer[Q]);else i.deleteFramebuffer(S.__webglFramebuffer);if(S.__webglDepthbuffer&&i.deleteRenderbuffer(S.__webglDepthbuffer),S.__webglMultisampledFramebuffer&&i.deleteFramebuffer(S.__webglMultisampledFramebuffer),S.__webglColorRenderbuffer)for(let Q=0;Q<S.__webglColorRenderbuffer.length;Q++)S.__webglColorRenderbuffer[Q]&&i.deleteRenderbuffer(S.__webglColorRenderbuffer[Q]);S.__webglDepthRenderbuffer&&i.deleteRenderbuffer(S.__webglDepthRenderbuffer)}let z=R.textures;for(let Q=0,K=z.length;Q<K;Q++){let nt=n.get(z[Q]);nt.__webglTexture&&(i.deleteTexture(nt.__webglTexture),o.memory.textures--),n.remove(z[Q])}n.remove(R)}let C=0;function F(){C=0}function B(){let R=C;return R>=s.maxTextures&&console.warn("THREE.WebGLTextures: Trying to use "+R+" texture units while this GPU supports only "+s.maxTextures),C+=1,R}function W(R){let S=[];return S.push(R.wrapS),S.push(R.wrapT),S.push(R.wrapR||0),S.push(R.magFilter),S.push(R.minFilter),S.push(R.anisotropy),S.push(R.internalFormat),S.push(R.format),S.push(R.type),S.push(R.generateMipmaps),S.push(R.premultiplyAlpha),S.push(R.flipY),S.push(R.unpackAlignment),S.push(R.colorSpace),S.join()}function k(R,S){let z=n.get(R);if(R.isVideoTexture&&rt(R),R.isRenderTargetTexture===!1&&R.version>0&&z.__version!==R.version){let Q=R.image;if(Q===null)console.warn("THREE.WebGLRenderer: Texture marked for update but no image data found.");else if(Q.complete===!1)console.warn("THREE.WebGLRenderer: Texture marked for update but image is incomplete");else{Z(z,R,S);return}}e.bindTexture(i.TEXTURE_2D,z.__webglTexture,i.TEXTURE0+S)}function q(R,S){let z=n.get(R);if(R.version>0&&z.__version!==R.version){Z(z,R,S);return}e.bindTexture(i.TEXTURE_2D_ARRAY,z.__webglTexture,i.TEXTURE0+S)}function j(R,S){let z=n.get(R);if(R.version>0&&z.__version!==R.version){Z(z,R,S);return}e.bindTexture(i.TEXTURE_3D,z.__webglTexture,i.TEXTURE0+S)}function $(R,S){let z=n.get(R);if(R.version>0&&z.__version!==R.version){ut(z,R,S);return}e.bindTexture(i.TEXTURE_CUBE_MAP,z.__webglTexture,i.TEXTURE0+S)}let ot={[Lh]:i.REPEAT,[Js]:i.CLAMP_TO_EDGE,[Dh]:i.MIRRORED_REPEAT},lt={[vi]:i.NEAREST,[Lx]:i.NEAREST_MIPMAP_NEAREST,[Aa]:i.NEAREST_MIPMAP_LINEAR,[Pi]:i.LINEAR,[Gc]:i.LINEAR_MIPMAP_NEAREST,[Ks]:i.LINEAR_MIPMAP_LINEAR},ft={[Ox]:i.NEVER,[Gx]:i.ALWAYS,[Bx]:i.LESS,[Xm]:i.LEQUAL,[zx]:i.EQUAL,[Hx]:i.GEQUAL,[kx]:i.GREATER,[Vx]:i.NOTEQUAL};function _t(R,S){if(S.type===ji&&t.has("OES_texture_float_linear")===!1&&(S.magFilter===Pi||S.magFilter===Gc||S.magFilter===Aa||S.magFilter===Ks||S.minFilter===Pi||S.minFilter===Gc||S.minFilter===Aa||S.minFilter===Ks)&&console.warn("THREE.WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(R,i.TEXTURE_WRAP_S,ot[S.wrapS]),i.texParameteri(R,i.TEXTURE_WRAP_T,ot[S.wrapT]),(R===i.TEXTURE_3D||R===i.TEXTURE_2D_ARRAY)&&i.texParameteri(R,i.TEXTURE_WRAP_R,ot[S.wrapR]),i.texParameteri(R,i.TEXTURE_MAG_FILTER,lt[S.magFilter]),i.texParameteri(R,i.TEXTURE_MIN_FILTER,lt[S.minFilter]),S.compareFunction&&(i.texParameteri(R,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(R,i.TEXTURE_COMPARE_FUNC,ft[S.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(S.magFilter===vi||S.minFilter!==Aa&&S.minFilter!==Ks||S.type===ji&&t.has("OES_texture_float_linear")===!1)return;if(S.anisotropy>1||n.get(S).__currentAnisotropy){let z=t.get("EXT_texture_filter_anisotropic");i.texParameterf(R,z.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(S.anisotropy,s.getMaxAnisotropy())),n.get(S).__currentAnisotropy=S.anisotropy}}}function $t(R,S){let z=!1;R.__webglInit===void 0&&(R.__webglInit=!0,S.addEventListener("dispose",T));let Q=S.source,K=u.get(Q);K===void 0&&(K={},u.set(Q,K));let nt=W(S);if(nt!==R.__cacheKey){K[nt]===void 0&&(K[nt]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,z=!0),K[nt].usedTimes++;let It=K[R.__cacheKey];It!==void 0&&(K[R.__cacheKey].usedTimes--,It.usedTimes===0&&b(S)),R.__cacheKey=nt,R.__webglTexture=K[nt].texture}return z}function Z(R,S,z){let Q=i.TEXTURE_2D;(S.isDataArrayTexture||S.isCompressedArrayTexture)&&(Q=i.TEXTURE_2D_ARRAY),S.isData3DTexture&&(Q=i.TEXTURE_3D);let K=$t(R,S),nt=S.source;e.bindTexture(Q,R.__webglTexture,i.TEXTURE0+z);let It=n.get(nt);if(nt.version!==It.__version||K===!0){e.activeTexture(i.TEXTURE0+z);let St=ge.getPrimaries(ge.workingColorSpace),wt=S.colorSpace===vs?null:ge.getPrimaries(S.colorSpace),Kt=S.colorSpace===vs||St===wt?i.NONE:i.BROWSER_DEFAULT_WEBGL;i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,S.flipY),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,S.premultiplyAlpha),i.pixelStorei(i.UNPACK_ALIGNMENT,S.unpackAlignment),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Kt);let gt=x(S.image,!1,s.maxTextureSize);gt=Tt(S,gt);let At=r.convert(S.format,S.colorSpace),Yt=r.convert(S.type),Jt=M(S.internalFormat,At,Yt,S.colorSpace,S.isVideoTexture);_t(Q,S);let Ut,ae=S.mipmaps,ee=S.isVideoTexture!==!0,Se=It.__version===void 0||K===!0,V=nt.dataReady,Ct=P(S,gt);if(S.isDepthTexture)Jt=v(S.format===so,S.type),Se&&(ee?e.texStorage2D(i.TEXTURE_2D,1,Jt,gt.width,gt.height):e.texImage2D(i.TEXTURE_2D,0,Jt,gt.width,gt.height,0,At,Yt,null));else if(S.isDataTexture)if(ae.length>0){ee&&Se&&e.texStorage2D(i.TEXTURE_2D,Ct,Jt,ae[0].width,ae[0].height);for(let it=0,pt=ae.length;it<pt;it++)Ut=ae[it],ee?V&&e.texSubImage2D(i.TEXTURE_2D,it,0,0,Ut.width,Ut.height,At,Yt,Ut.data):e.texImage2D(i.TEXTURE_2D,it,Jt,Ut.width,Ut.height,0,At,Yt,Ut.data);S.generateMipmaps=!1}else ee?(Se&&e.texStorage2D(i.TEXTURE_2D,Ct,Jt,gt.width,gt.height),V&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,gt.width,gt.height,At,Yt,gt.data)):e.texImage2D(i.TEXTURE_2D,0,Jt,gt.width,gt.height,0,At,Yt,gt.data);else if(S.isCompressedTexture)if(S.isCompressedArrayTexture){ee&&Se&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Ct,Jt,ae[0].width,ae[0].height,gt.depth);for(let it=0,pt=ae.length;it<pt;it++)if(Ut=ae[it],S.format!==xi)if(At!==null)if(ee){if(V)if(S.layerUpdates.size>0){let Ot=Mm(Ut.width,Ut.height,S.format,S.type);for(let Nt of S.layerUpdates){let se=Ut.data.subarray(Nt*Ot/Ut.data.BYTES_PER_ELEMENT,(Nt+1)*Ot/Ut.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,it,0,0,Nt,Ut.width,Ut.height,1,At,se)}S.clearLayerUpdates()}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,it,0,0,0,Ut.width,Ut.height,gt.depth,At,Ut.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,it,Jt,Ut.width,Ut.height,gt.depth,0,Ut.data,0,0);else console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else ee?V&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,it,0,0,0,Ut.width,Ut.height,gt.depth,At,Yt,Ut.data):e.texImage3D(i.TEXTURE_2D_ARRAY,it,Jt,Ut.width,Ut.height,gt.depth,0,At,Yt,Ut.data)}else{ee&&Se&&e.texStorage2D(i.TEXTURE_2D,Ct,Jt,ae[0].width,ae[0].height);for(let it=0,pt=ae.length;it<pt;it++)Ut=ae[it],S.format!==xi?At!==null?ee?V&&e.compressedTexSubImage2D(i.TEXTURE_2D,it,0,0,Ut.width,Ut.height,At,Ut.data):e.compressedTexImage2D(i.TEXTURE_2D,it,Jt,Ut.width,Ut.height,0,Ut.data):console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):ee?V&&e.texSubImage2D(i.TEXTURE_2D,it,0,0,Ut.width,Ut.height,At,Yt,Ut.data):e.texImage2D(i.TEXTURE_2D,it,Jt,Ut.width,Ut.height,0,At,Yt,Ut.data)}else if(S.isDataArrayTexture)if(ee){if(Se&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Ct,Jt,gt.width,gt.height,gt.depth),V)if(S.layerUpdates.size>0){let it=Mm(gt.width,gt.height,S.format,S.type);for(let pt of S.layerUpdates){let Ot=gt.data.subarray(pt*it/gt.data.BYTES_PER_ELEMENT,(pt+1)*it/gt.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,pt,gt.width,gt.height,1,At,Yt,Ot)}S.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,gt.width,gt.height,gt.depth,At,Yt,gt.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,Jt,gt.width,gt.height,gt.depth,0,At,Yt,gt.data);else if(S.isData3DTexture)ee?(Se&&e.texStorage3D(i.TEXTURE_3D,Ct,Jt,gt.width,gt.height,gt.depth),V&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,gt.width,gt.height,gt.depth,At,Yt,gt.data)):e.texImage3D(i.TEXTURE_3D,0,Jt,gt.width,gt.height,gt.depth,0,At,Yt,gt.data);else if(S.isFramebufferTexture){if(Se)if(ee)e.texStorage2D(i.TEXTURE_2D,Ct,Jt,gt.width,gt.height);else{let it=gt.width,pt=gt.height;for(let Ot=0;Ot<Ct;Ot++)e.texImage2D(i.TEXTURE_2D,Ot,Jt,it,pt,0,At,Yt,null),it>>=1,pt>>=1}}else if(ae.length>0){if(ee&&Se){let it=dt(ae[0]);e.texStorage2D(i.TEXTURE_2D,Ct,Jt,it.width,it.height)}for(let it=0,pt=ae.length;it<pt;it++)Ut=ae[it],ee?V&&e.texSubImage2D(i.TEXTURE_2D,it,0,0,At,Yt,Ut):e.texImage2D(i.TEXTURE_2D,it,Jt,At,Yt,Ut);S.generateMipmaps=!1}else if(ee){if(Se){let it=dt(gt);e.texStorage2D(i.TEXTURE_2D,Ct,Jt,it.width,it.height)}V&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,At,Yt,gt)}else e.texImage2D(i.TEXTURE_2D,0,Jt,At,Yt,gt);m(S)&&d(Q),It.__version=nt.version,S.onUpdate&&S.onUpdate(S)}R.__version=S.version}function ut(R,S,z){if(S.image.length!==6)return;let Q=$t(R,S),K=S.source;e.bindTexture(i.TEXTURE_CUBE_MAP,R.__webglTexture,i.TEXTURE0+z);let nt=n.get(K);if(K.version!==nt.__version||Q===!0){e.activeTexture(i.TEXTURE0+z);let It=ge.getPrimaries(ge.workingColorSpace),St=S.colorSpace===vs?null:ge.getPrimaries(S.colorSpace),wt=S.colorSpace===vs||It===St?i.NONE:i.BROWSER_DEFAULT_WEBGL;i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,S.flipY),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,S.premultiplyAlpha),i.pixelStorei(i.UNPACK_ALIGNMENT,S.unpackAlignment),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,wt);let Kt=S.isCompressedTexture||S.image[0].isCompressedTexture,gt=S.image[0]&&S.image[0].isDataTexture,At=[];for(let pt=0;pt<6;pt++)!Kt&&!gt?At[pt]=x(S.image[pt],!0,s.maxCubemapSize):At[pt]=gt?S.image[pt].image:S.image[pt],At[pt]=Tt(S,At[pt]);let Yt=At[0],Jt=r.convert(S.format,S.colorSpace),Ut=r.convert(S.type),ae=M(S.internalFormat,Jt,Ut,S.colorSpace),ee=S.isVideoTexture!==!0,Se=nt.__version===void 0||Q===!0,V=K.dataReady,Ct=P(S,Yt);_t(i.TEXTURE_CUBE_MAP,S);let it;if(Kt){ee&&Se&&e.texStorage2D(i.TEXTURE_CUBE_MAP,Ct,ae,Yt.width,Yt.height);for(let pt=0;pt<6;pt++){it=At[pt].mipmaps;for(let Ot=0;Ot<it.length;Ot++){let Nt=it[Ot];S.format!==xi?Jt!==null?ee?V&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,Ot,0,0,Nt.width,Nt.height,Jt,Nt.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,Ot,ae,Nt.width,Nt.height,0,Nt.data):console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):ee?V&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,Ot,0,0,Nt.width,Nt.height,Jt,Ut,Nt.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,Ot,ae,Nt.width,Nt.height,0,Jt,Ut,Nt.data)}}}else{if(it=S.mipmaps,ee&&Se){it.length>0&&Ct++;let pt=dt(At[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,Ct,ae,pt.width,pt.height)}for(let pt=0;pt<6;pt++)if(gt){ee?V&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,0,0,0,At[pt].width,At[pt].height,Jt,Ut,At[pt].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,0,ae,At[pt].width,At[pt].height,0,Jt,Ut,At[pt].data);for(let Ot=0;Ot<it.length;Ot++){let se=it[Ot].image[pt].image;ee?V&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,Ot+1,0,0,se.width,se.height,Jt,Ut,se.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,Ot+1,ae,se.width,se.height,0,Jt,Ut,se.data)}}else{ee?V&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,0,0,0,Jt,Ut,At[pt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,0,ae,Jt,Ut,At[pt]);for(let Ot=0;Ot<it.length;Ot++){let Nt=it[Ot];ee?V&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,Ot+1,0,0,Jt,Ut,Nt.image[pt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+pt,Ot+1,ae,Jt,Ut,Nt.image[pt])}}}m(S)&&d(i.TEXTURE_CUBE_MAP),nt.__version=K.version,S.onUpdate&&S.onUpdate(S)}R.__version=S.version}function Dt(R,S,z,Q,K,nt){let It=r.convert(z.format,z.colorSpace),St=r.convert(z.type),wt=M(z.internalFormat,It,St,z.colorSpace),Kt=n.get(S),gt=n.get(z);if(gt.__renderTarget=S,!Kt.__hasExternalTextures){let At=Math.max(1,S.width>>nt),Yt=Math.max(1,S.height>>nt);K===i.TEXTURE_3D||K===i.TEXTURE_2D_ARRAY?e.texImage3D(K,nt,wt,At,Yt,S.depth,0,It,St,null):e.texImage2D(K,nt,wt,At,Yt,0,It,St,null)}e.bindFramebuffer(i.FRAMEBUFFER,R),ct(S)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,Q,K,gt.__webglTexture,0,st(S)):(K===i.TEXTURE_2D||K>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&K<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,Q,K,gt.__webglTexture,nt),e.bindFramebuffer(i.FRAMEBUFFER,null)}function mt(R,S,z){if(i.bindRenderbuffer(i.RENDERBUFFER,R),S.depthBuffer){let Q=S.depthTexture,K=Q&&Q.isDepthTexture?Q.type:null,nt=v(S.stencilBuffer,K),It=S.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,St=st(S);ct(S)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,St,nt,S.width,S.height):z?i.renderbufferStorageMultisample(i.RENDERBUFFER,St,nt,S.width,S.height):i.renderbufferStorage(i.RENDERBUFFER,nt,S.width,S.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,It,i.RENDERBUFFER,R)}else{let Q=S.textures;for(let K=0;K<Q.length;K++){let nt=Q[K],It=r.convert(nt.format,nt.colorSpace),St=r.convert(nt.type),wt=M(nt.internalFormat,It,St,nt.colorSpace),Kt=st(S);z&&ct(S)===!1?i.renderbufferStorageMultisample(i.RENDERBUFFER,Kt,wt,S.width,S.height):ct(S)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,Kt,wt,S.width,S.height):i.renderbufferStorage(i.RENDERBUFFER,wt,S.width,S.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function Ft(R,S){if(S&&S.isWebGLCubeRenderTarget)throw new Error("Depth Texture with cube render targets is not supported");if(e.bindFramebuffer(i.FRAMEBUFFER,R),!(S.depthTexture&&S.depthTexture.isDepthTexture))throw new Error("renderTarget.depthTexture must be an instance of THREE.DepthTexture");let Q=n.get(S.depthTexture);Q.__renderTarget=S,(!Q.__webglTexture||S.depthTexture.image.width!==S.width||S.depthTexture.image.height!==S.height)&&(S.depthTexture.image.width=S.width,S.depthTexture.image.height=S.height,S.depthTexture.needsUpdate=!0),k(S.depthTexture,0);let K=Q.__webglTexture,nt=st(S);if(S.depthTexture.format===Kr)ct(S)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,i.DEPTH_ATTACHMENT,i.TEXTURE_2D,K,0,nt):i.framebufferTexture2D(i.FRAMEBUFFER,i.DEPTH_ATTACHMENT,i.TEXTURE_2D,K,0);else if(S.depthTexture.format===so)ct(S)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,i.DEPTH_STENCIL_ATTACHMENT,i.TEXTURE_2D,K,0,nt):i.framebufferTexture2D(i.FRAMEBUFFER,i.DEPTH_STENCIL_ATTACHMENT,i.TEXTURE_2D,K,0);else throw new Error("Unknown depthTexture format")}function qt(R){let S=n.get(R),z=R.isWebGLCubeRenderTarget===!0;if(S.__boundDepthTexture!==R.depthTexture){let Q=R.depthTexture;if(S.__depthDisposeCallback&&S.__depthDisposeCallback(),Q){let K=()=>{delete S.__boundDepthTexture,delete S.__depthDisposeCallback,Q.removeEventListener("dispose",K)};Q.addEventListener("dispose",K),S.__depthDisposeCallback=K}S.__boundDepthTexture=Q}if(R.depthTexture&&!S.__autoAllocateDepthBuffer){if(z)throw new Error("target.depthTexture not supported in Cube render targets");Ft(S.__webglFramebuffer,R)}else if(z){S.__webglDepthbuffer=[];for(let Q=0;Q<6;Q++)if(e.bindFramebuffer(i.FRAMEBUFFER,S.__webglFramebuffer[Q]),S.__webglDepthbuffer[Q]===void 0)S.__webglDepthbuffer[Q]=i.createRenderbuffer(),mt(S.__webglDepthbuffer[Q],R,!1);else{let K=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,nt=S.__webglDepthbuffer[Q];i.bindRenderbuffer(i.RENDERBUFFER,nt),i.framebufferRenderbuffer(i.FRAMEBUFFER,K,i.RENDERBUFFER,nt)}}else if(e.bindFramebuffer(i.FRAMEBUFFER,S.__webglFramebuffer),S.__webglDepthbuffer===void 0)S.__webglDepthbuffer=i.createRenderbuffer(),mt(S.__webglDepthbuffer,R,!1);else{let Q=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,K=S.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,K),i.framebufferRenderbuffer(i.FRAMEBUFFER,Q,i.RENDERBUFFER,K)}e.bindFramebuffer(i.FRAMEBUFFER,null)}function Pt(R,S,z){let Q=n.get(R);S!==void 0&&Dt(Q.__webglFramebuffer,R,R.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),z!==void 0&&qt(R)}function te(R){let S=R.texture,z=n.get(R),Q=n.get(S);R.addEventListener("dispose",I);let K=R.textures,nt=R.isWebGLCubeRenderTarget===!0,It=K.length>1;if(It||(Q.__webglTexture===void 0&&(Q.__webglTexture=i.createTexture()),Q.__version=S.version,o.memory.textures++),nt){z.__webglFramebuffer=[];for(let St=0;St<6;St++)if(S.mipmaps&&S.mipmaps.length>0){z.__webglFramebuffer[St]=[];for(let wt=0;wt<S.mipmaps.length;wt++)z.__webglFramebuffer[St][wt]=i.createFramebuffer()}else z.__webglFramebuffer[St]=i.createFramebuffer()}else{if(S.mipmaps&&S.mipmaps.length>0){z.__webglFramebuffer=[];for(let St=0;St<S.mipmaps.length;St++)z.__webglFramebuffer[St]=i.createFramebuffer()}else z.__webglFramebuffer=i.createFramebuffer();if(It)for(let St=0,wt=K.length;St<wt;St++){let Kt=n.get(K[St]);Kt.__webglTexture===void 0&&(Kt.__webglTexture=i.createTexture(),o.memory.textures++)}if(R.samples>0&&ct(R)===!1){z.__webglMultisampledFramebuffer=i.createFramebuffer(),z.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,z.__webglMultisampledFramebuffer);for(let St=0;St<K.length;St++){let wt=K[St];z.__webglColorRenderbuffer[St]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,z.__webglColorRenderbuffer[St]);let Kt=r.convert(wt.format,wt.colorSpace),gt=r.convert(wt.type),At=M(wt.internalFormat,Kt,gt,wt.colorSpace,R.isXRRenderTarget===!0),Yt=st(R);i.renderbufferStorageMultisample(i.RENDERBUFFER,Yt,At,R.width,R.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+St,i.RENDERBUFFER,z.__webglColorRenderbuffer[St])}i.bindRenderbuffer(i.RENDERBUFFER,null),R.depthBuffer&&(z.__webglDepthRenderbuffer=i.createRenderbuffer(),mt(z.__webglDepthRenderbuffer,R,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(nt){e.bindTexture(i.TEXTURE_CUBE_MAP,Q.__webglTexture),_t(i.TEXTURE_CUBE_MAP,S);for(let St=0;St<6;St++)if(S.mipmaps&&S.mipmaps.length>0)for(let wt=0;wt<S.mipmaps.length;wt++)Dt(z.__webglFramebuffer[St][wt],R,S,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+St,wt);else Dt(z.__webglFramebuffer[St],R,S,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+St,0);m(S)&&d(i.TEXTURE_CUBE_MAP),e.unbindTexture()}else if(It){for(let St=0,wt=K.length;St<wt;St++){let Kt=K[St],gt=n.get(Kt);e.bindTexture(i.TEXTURE_2D,gt.__webglTexture),_t(i.TEXTURE_2D,Kt),Dt(z.__webglFramebuffer,R,Kt,i.COLOR_ATTACHMENT0+St,i.TEXTURE_2D,0),m(Kt)&&d(i.TEXTURE_2D)}e.unbindTexture()}else{let St=i.TEXTURE_2D;if((R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(St=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(St,Q.__webglTexture),_t(St,S),S.mipmaps&&S.mipmaps.length>0)for(let wt=0;wt<S.mipmaps.length;wt++)Dt(z.__webglFramebuffer[wt],R,S,i.COLOR_ATTACHMENT0,St,wt);else Dt(z.__webglFramebuffer,R,S,i.COLOR_ATTACHMENT0,St,0);m(S)&&d(St),e.unbindTexture()}R.depthBuffer&&qt(R)}function at(R){let S=R.textures;for(let z=0,Q=S.length;z<Q;z++){let K=S[z];if(m(K)){let nt=E(R),It=n.get(K).__webglTexture;e.bindTexture(nt,It),d(nt),e.unbindTexture()}}}let et=[],D=[];function vt(R){if(R.samples>0){if(ct(R)===!1){let S=R.textures,z=R.width,Q=R.height,K=i.COLOR_BUFFER_BIT,nt=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,It=n.get(R),St=S.length>1;if(St)for(let wt=0;wt<S.length;wt++)e.bindFramebuffer(i.FRAMEBUFFER,It.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+wt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,It.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+wt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,It.__webglMultisampledFramebuffer),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,It.__webglFramebuffer);for(let wt=0;wt<S.length;wt++){if(R.resolveDepthBuffer&&(R.depthBuffer&&(K|=i.DEPTH_BUFFER_BIT),R.stencilBuffer&&R.resolveStencilBuffer&&(K|=i.STENCIL_BUFFER_BIT)),St){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,It.__webglColorRenderbuffer[wt]);let Kt=n.get(S[wt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,Kt,0)}i.blitFramebuffer(0,0,z,Q,0,0,z,Q,K,i.NEAREST),l===!0&&(et.length=0,D.length=0,et.push(i.COLOR_ATTACHMENT0+wt),R.depthBuffer&&R.resolveDepthBuffer===!1&&(et.push(nt),D.push(nt),i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,D)),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,et))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),St)for(let wt=0;wt<S.length;wt++){e.bindFramebuffer(i.FRAMEBUFFER,It.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+wt,i.RENDERBUFFER,It.__webglColorRenderbuffer[wt]);let Kt=n.get(S[wt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,It.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+wt,i.TEXTURE_2D,Kt,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,It.__webglMultisampledFramebuffer)}else if(R.depthBuffer&&R.resolveDepthBuffer===!1&&l){let S=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[S])}}}function st(R){return Math.min(s.maxSamples,R.samples)}function ct(R){let S=n.get(R);return R.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&S.__useRenderToTexture!==!1}function rt(R){let S=o.render.frame;h.get(R)!==S&&(h.set(R,S),R.update())}function Tt(R,S){let z=R.colorSpace,Q=R.format,K=R.type;return R.isCompressedTexture===!0||R.isVideoTexture===!0||z!==Es&&z!==vs&&(ge.getTransfer(z)===Ie?(Q!==xi||K!==es)&&console.warn("THREE.WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):console.error("THREE.WebGLTextures: Unsupported texture color space:",z)),S}function dt(R){return typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement?(c.width=R.naturalWidth||R.width,c.height=R.naturalHeight||R.height):typeof VideoFrame<"u"&&R instanceof VideoFrame?(c.width=R.displayWidth,c.height=R.displayHeight):(c.width=R.width,c.height=R.height),c}this.allocateTextureUnit=B,this.resetTextureUnits=F,this.setTexture2D=k,this.setTexture2DArray=q,this.setTexture3D=j,this.setTextureCube=$,this.rebindTextures=Pt,this.setupRenderTarget=te,this.updateRenderTargetMipmap=at,this.updateMultisampleRenderTarget=vt,this.setupDepthRenderbuffer=qt,this.setupFrameBufferTexture=Dt,this.useMultisampledRTT=ct}function Zb(i,t){function e(n,s=vs){let r,o=ge.getTransfer(s);if(n===es)return i.UNSIGNED_BYTE;if(n===qu)return i.UNSIGNED_SHORT_4_4_4_4;if(n===Yu)return i.UNSIGNED_SHORT_5_5_5_1;if(n===Om)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===Nm)return i.BYTE;if(n===Fm)return i.SHORT;if(n===Bo)return i.UNSIGNED_SHORT;if(n===Xu)return i.INT;if(n===js)return i.UNSIGNED_INT;if(n===ji)return i.FLOAT;if(n===$o)return i.HALF_FLOAT;if(n===Bm)return i.ALPHA;if(n===zm)return i.RGB;if(n===xi)return i.RGBA;if(n===km)return i.LUMINANCE;if(n===Vm)return i.LUMINANCE_ALPHA;if(n===Kr)return i.DEPTH_COMPONENT;if(n===so)return i.DEPTH_STENCIL;if(n===Hm)return i.RED;if(n===$u)return i.RED_INTEGER;if(n===Gm)return i.RG;if(n===Zu)return i.RG_INTEGER;if(n===Ju)return i.RGBA_INTEGER;if(n===tl||n===el||n===nl||n===il)if(o===Ie)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===tl)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===el)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===nl)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===il)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===tl)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===el)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===nl)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===il)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===Uh||n===Nh||n===Fh||n===Oh)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===Uh)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===Nh)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===Fh)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===Oh)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===Bh||n===zh||n===kh)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===Bh||n===zh)return o===Ie?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===kh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC}else return null;if(n===Vh||n===Hh||n===Gh||n===Wh||n===Xh||n===qh||n===Yh||n===$h||n===Zh||n===Jh||n===Kh||n===jh||n===Qh||n===tu)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===Vh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===Hh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===Gh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===Wh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===Xh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===qh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===Yh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===$h)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Zh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Jh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Kh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===jh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Qh)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===tu)return o===Ie?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===sl||n===eu||n===nu)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===sl)return o===Ie?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===eu)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===nu)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Wm||n===iu||n===su||n===ru)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===sl)return r.COMPRESSED_RED_RGTC1_EXT;if(n===iu)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===su)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===ru)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===io?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}function tw(i,t){function e(m,d){m.matrixAutoUpdate===!0&&m.updateMatrix(),d.value.copy(m.matrix)}function n(m,d){d.color.getRGB(m.fogColor.value,Zm(i)),d.isFog?(m.fogNear.value=d.near,m.fogFar.value=d.far):d.isFogExp2&&(m.fogDensity.value=d.density)}function s(m,d,E,M,v){d.isMeshBasicMaterial||d.isMeshLambertMaterial?r(m,d):d.isMeshToonMaterial?(r(m,d),f(m,d)):d.isMeshPhongMaterial?(r(m,d),h(m,d)):d.isMeshStandardMaterial?(r(m,d),u(m,d),d.isMeshPhysicalMaterial&&p(m,d,v)):d.isMeshMatcapMaterial?(r(m,d),g(m,d)):d.isMeshDepthMaterial?r(m,d):d.isMeshDistanceMaterial?(r(m,d),x(m,d)):d.isMeshNormalMaterial?r(m,d):d.isLineBasicMaterial?(o(m,d),d.isLineDashedMaterial&&a(m,d)):d.isPointsMaterial?l(m,d,E,M):d.isSpriteMaterial?c(m,d):d.isShadowMaterial?(m.color.value.copy(d.color),m.opacity.value=d.opacity):d.isShaderMaterial&&(d.uniformsNeedUpdate=!1)}function r(m,d){m.opacity.value=d.opacity,d.color&&m.diffuse.value.copy(d.color),d.emissive&&m.emissive.value.copy(d.emissive).multiplyScalar(d.emissiveIntensity),d.map&&(m.map.value=d.map,e(d.map,m.mapTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.bumpMap&&(m.bumpMap.value=d.bumpMap,e(d.bumpMap,m.bumpMapTransform),m.bumpScale.value=d.bumpScale,d.side===Fn&&(m.bumpScale.value*=-1)),d.normalMap&&(m.normalMap.value=d.normalMap,e(d.normalMap,m.normalMapTransform),m.normalScale.value.copy(d.normalScale),d.side===Fn&&m.normalScale.value.negate()),d.displacementMap&&(m.displacementMap.value=d.displacementMap,e(d.displacementMap,m.displacementMapTransform),m.displacementScale.value=d.displacementScale,m.displacementBias.value=d.displacementBias),d.emissiveMap&&(m.emissiveMap.value=d.emissiveMap,e(d.emissiveMap,m.emissiveMapTransform)),d.specularMap&&(m.specularMap.value=d.specularMap,e(d.specularMap,m.specularMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest);let E=t.get(d),M=E.envMap,v=E.envMapRotation;M&&(m.envMap.value=M,Xs.copy(v),Xs.x*=-1,Xs.y*=-1,Xs.z*=-1,M.isCubeTexture&&M.isRenderTargetTexture===!1&&(Xs.y*=-1,Xs.z*=-1),m.envMapRotation.value.setFromMatrix4(Qb.makeRotationFromEuler(Xs)),m.flipEnvMap.value=M.isCubeTexture&&M.isRenderTargetTexture===!1?-1:1,m.reflectivity.value=d.reflectivity,m.ior.value=d.ior,m.refractionRatio.value=d.refractionRatio),d.lightMap&&(m.lightMap.value=d.lightMap,m.lightMapIntensity.value=d.lightMapIntensity,e(d.lightMap,m.lightMapTransform)),d.aoMap&&(m.aoMap.value=d.aoMap,m.aoMapIntensity.value=d.aoMapIntensity,e(d.aoMap,m.aoMapTransform))}function o(m,d){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,d.map&&(m.map.value=d.map,e(d.map,m.mapTransform))}function a(m,d){m.dashSize.value=d.dashSize,m.totalSize.value=d.dashSize+d.gapSize,m.scale.value=d.scale}function l(m,d,E,M){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,m.size.value=d.size*E,m.scale.value=M*.5,d.map&&(m.map.value=d.map,e(d.map,m.uvTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest)}function c(m,d){m.diffuse.value.copy(d.color),m.opacity.value=d.opacity,m.rotation.value=d.rotation,d.map&&(m.map.value=d.map,e(d.map,m.mapTransform)),d.alphaMap&&(m.alphaMap.value=d.alphaMap,e(d.alphaMap,m.alphaMapTransform)),d.alphaTest>0&&(m.alphaTest.value=d.alphaTest)}function h(m,d){m.specular.value.copy(d.specular),m.shininess.value=Math.max(d.shininess,1e-4)}function f(m,d){d.gradientMap&&(m.gradientMap.value=d.gradientMap)}function u(m,d){m.metalness.value=d.metalness,d.metalnessMap&&(m.metalnessMap.value=d.metalnessMap,e(d.metalnessMap,m.metalnessMapTransform)),m.roughness.value=d.roughness,d.roughnessMap&&(m.roughnessMap.value=d.roughnessMap,e(d.roughnessMap,m.roughnessMapTransform)),d.envMap&&(m.envMapIntensity.value=d.envMapIntensity)}function p(m,d,E){m.ior.value=d.ior,d.sheen>0&&(m.sheenColor.value.copy(d.sheenColor).multiplyScalar(d.sheen),m.sheenRoughness.value=d.sheenRoughness,d.sheenColorMap&&(m.sheenColorMap.value=d.sheenColorMap,e(d.sheenColorMap,m.sheenColorMapTransform)),d.sheenRoughnessMap&&(m.sheenRoughnessMap.value=d.sheenRoughnessMap,e(d.sheenRoughnessMap,m.sheenRoughnessMapTransform))),d.clearcoat>0&&(m.clearcoat.value=d.clearcoat,m.clearcoatRoughness.value=d.clearcoatRoughness,d.clearcoatMap&&(m.clearcoatMap.value=d.clearcoatMap,e(d.clearcoatMap,m.clearcoatMapTransform)),d.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=d.clearcoatRoughnessMap,e(d.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),d.clearcoatNormalMap&&(m.clearcoatNormalMap.value=d.clearcoatNormalMap,e(d.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(d.clearcoatNormalScale),d.side===Fn&&m.clearcoatNormalScale.value.negate())),d.dispersion>0&&(m.dispersion.value=d.dispersion),d.iridescence>0&&(m.iridescence.value=d.iridescence,m.iridescenceIOR.value=d.iridescenceIOR,m.iridescenceThicknessMinimum.value=d.iridescenceThicknessRange[0],m.iridescenceThicknessMaximum.value=d.iridescenceThicknessRange[1],d.iridescenceMap&&(m.iridescenceMap.value=d.iridescenceMap,e(d.iridescenceMap,m.iridescenceMapTransform)),d.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=d.iridescenceThicknessMap,e(d.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),d.transmission>0&&(m.transmission.value=d.transmission,m.transmissionSamplerMap.value=E.texture,m.transmissionSamplerSize.value.set(E.width,E.height),d.transmissionMap&&(m.transmissionMap.value=d.transmissionMap,e(d.transmissionMap,m.transmissionMapTransform)),m.thickness.value=d.thickness,d.thicknessMap&&(m.thicknessMap.value=d.thicknessMap,e(d.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=d.attenuationDistance,m.attenuationColor.value.copy(d.attenuationColor)),d.anisotropy>0&&(m.anisotropyVector.value.set(d.anisotropy*Math.cos(d.anisotropyRotation),d.anisotropy*Math.sin(d.anisotropyRotation)),d.anisotropyMap&&(m.anisotropyMap.value=d.anisotropyMap,e(d.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=d.specularIntensity,m.specularColor.value.copy(d.specularColor),d.specularColorMap&&(m.specularColorMap.value=d.specularColorMap,e(d.specularColorMap,m.specularColorMapTransform)),d.specularIntensityMap&&(m.specularIntensityMap.value=d.specularIntensityMap,e(d.specularIntensityMap,m.specularIntensityMapTransform))}function g(m,d){d.matcap&&(m.matcap.value=d.matcap)}function x(m,d){let E=t.get(d).light;m.referencePosition.value.setFromMatrixPosition(E.matrixWorld),m.nearDistance.value=E.shadow.camera.near,m.farDistance.value=E.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function ew(i,t,e,n){let s={},r={},o=[],a=i.getParameter(i.MAX_UNIFORM_BUFFER_BINDINGS);function l(E,M){let v=M.program;n.uniformBlockBinding(E,v)}function c(E,M){let v=s[E.id];v===void 0&&(g(E),v=h(E),s[E.id]=v,E.addEventListener("dispose",m));let P=M.program;n.updateUBOMapping(E,P);let T=t.render.frame;r[E.id]!==T&&(u(E),r[E.id]=T)}function h(E){let M=f();E.__bindingPointIndex=M;let v=i.createBuffer(),P=E.__size,T=E.usage;return i.bindBuffer(i.UNIFORM_BUFFER,v),i.bufferData(i.UNIFORM_BUFFER,P,T),i.bindBuffer(i.UNIFORM_BUFFER,null),i.bindBufferBase(i.UNIFORM_BUFFER,M,v),v}function f(){for(let E=0;E<a;E++)if(o.indexOf(E)===-1)return o.push(E),E;return console.error("THREE.WebGLRenderer: Maximum number of simultaneously usable uniforms groups reached."),0}function u(E){let M=s[E.id],v=E.uniforms,P=E.__cache;i.bindBuffer(i.UNIFORM_BUFFER,M);for(let T=0,I=v.length;T<I;T++){let L=Array.isArray(v[T])?v[T]:[v[T]];for(let b=0,y=L.length;b<y;b++){let C=L[b];if(p(C,T,b,P)===!0){let F=C.__offset,B=Array.isArray(C.value)?C.value:[C.value],W=0;for(let k=0;k<B.length;k++){let q=B[k],j=x(q);typeof q=="number"||typeof q=="boolean"?(C.__data[0]=q,i.bufferSubData(i.UNIFORM_BUFFER,F+W,C.__data)):q.isMatrix3?(C.__data[0]=q.elements[0],C.__data[1]=q.elements[1],C.__data[2]=q.elements[2],C.__data[3]=0,C.__data[4]=q.elements[3],C.__data[5]=q.elements[4],C.__data[6]=q.elements[5],C.__data[7]=0,C.__data[8]=q.elements[6],C.__data[9]=q.elements[7],C.__data[10]=q.elements[8],C.__data[11]=0):(q.toArray(C.__data,W),W+=j.storage/Float32Array.BYTES_PER_ELEMENT)}i.bufferSubData(i.UNIFORM_BUFFER,F,C.__data)}}}i.bindBuffer(i.UNIFORM_BUFFER,null)}function p(E,M,v,P){let T=E.value,I=M+"_"+v;if(P[I]===void 0)return typeof T=="number"||typeof T=="boolean"?P[I]=T:P[I]=T.clone(),!0;{let L=P[I];if(typeof T=="number"||typeof T=="boolean"){if(L!==T)return P[I]=T,!0}else if(L.equals(T)===!1)return L.copy(T),!0}return!1}function g(E){let M=E.uniforms,v=0,P=16;for(let I=0,L=M.length;I<L;I++){let b=Array.isArray(M[I])?M[I]:[M[I]];for(let y=0,C=b.length;y<C;y++){let F=b[y],B=Array.isArray(F.value)?F.value:[F.value];for(let W=0,k=B.length;W<k;W++){let q=B[W],j=x(q),$=v%P,ot=$%j.boundary,lt=$+ot;v+=ot,lt!==0&&P-lt<j.storage&&(v+=P-lt),F.__data=new Float32Array(j.storage/Float32Array.BYTES_PER_ELEMENT),F.__offset=v,v+=j.storage}}}let T=v%P;return T>0&&(v+=P-T),E.__size=v,E.__cache={},this}function x(E){let M={boundary:0,storage:0};return typeof E=="number"||typeof E=="boolean"?(M.boundary=4,M.storage=4):E.isVector2?(M.boundary=8,M.storage=8):E.isVector3||E.isColor?(M.boundary=16,M.storage=12):E.isVector4?(M.boundary=16,M.storage=16):E.isMatrix3?(M.boundary=48,M.storage=48):E.isMatrix4?(M.boundary=64,M.storage=64):E.isTexture?console.warn("THREE.WebGLRenderer: Texture samplers can not be part of an uniforms group."):console.warn("THREE.WebGLRenderer: Unsupported uniform value type.",E),M}function m(E){let M=E.target;M.removeEventListener("dispose",m);let v=o.indexOf(M.__bindingPointIndex);o.splice(v,1),i.deleteBuffer(s[M.id]),delete s[M.id],delete r[M.id]}function d(){for(let E in s)i.deleteBuffer(s[E]);o=[],s={},r={}}return{bind:l,update:c,dispose:d}}function $a(i,t,e,n,s,r){let o=i.geometry.attributes.position;if(bl.fromBufferAttribute(o,s),wl.fromBufferAttribute(o,r),e.distanceSqToSegment(bl,wl,_h,bm)>n)return;_h.applyMatrix4(i.matrixWorld);let l=t.ray.origin.distanceTo(_h);if(!(l<t.near||l>t.far))return{distance:l,point:bm.clone().applyMatrix4(i.matrixWorld),index:s,face:null,faceIndex:null,barycoord:null,object:i}}function Qu(){let i=0,t=0,e=0,n=0;function s(r,o,a,l){i=r,t=a,e=-3*r+3*o-2*a-l,n=2*r-2*o+a+l}return{initCatmullRom:function(r,o,a,l,c){s(o,a,c*(a-r),c*(l-o))},initNonuniformCatmullRom:function(r,o,a,l,c,h,f){let u=(o-r)/c-(a-r)/(c+h)+(a-o)/h,p=(a-o)/h-(l-o)/(h+f)+(l-a)/f;u*=h,p*=h,s(o,a,u,p)},calc:function(r){let o=r*r,a=o*r;return i+t*r+e*o+n*a}}}function Am(i,t,e,n,s){let r=(n-t)*.5,o=(s-e)*.5,a=i*i,l=i*a;return(2*e-2*n+r+o)*l+(-3*e+3*n-2*r-o)*a+r*i+e}function nw(i,t){let e=1-i;return e*e*t}function iw(i,t){return 2*(1-i)*i*t}function sw(i,t){return i*i*t}function Fo(i,t,e,n){return nw(i,t)+iw(i,e)+sw(i,n)}function rw(i,t){let e=1-i;return e*e*e*t}function ow(i,t){let e=1-i;return 3*e*e*i*t}function aw(i,t){return 3*(1-i)*i*i*t}function lw(i,t){return i*i*i*t}function Oo(i,t,e,n,s){return rw(i,t)+ow(i,e)+aw(i,n)+lw(i,s)}function eg(i,t,e,n,s){let r,o;if(s===Ew(i,t,e,n)>0)for(r=t;r<e;r+=n)o=Tm(r,i[r],i[r+1],o);else for(r=e-n;r>=t;r-=n)o=Tm(r,i[r],i[r+1],o);return o&&ql(o,o.next)&&(Yo(o),o=o.next),o}function nr(i,t){if(!i)return i;t||(t=i);let e=i,n;do if(n=!1,!e.steiner&&(ql(e,e.next)||Xe(e.prev,e,e.next)===0)){if(Yo(e),e=t=e.prev,e===e.next)break;n=!0}else e=e.next;while(n||e!==t);return t}function Xo(i,t,e,n,s,r,o){if(!i)return;!o&&r&&vw(i,n,s,r);let a=i,l,c;for(;i.prev!==i.next;){if(l=i.prev,c=i.next,r?uw(i,n,s,r):hw(i)){t.push(l.i/e|0),t.push(i.i/e|0),t.push(c.i/e|0),Yo(i),i=c.next,a=c.next;continue}if(i=c,i===a){o?o===1?(i=fw(nr(i),t,e),Xo(i,t,e,n,s,r,2)):o===2&&dw(i,t,e,n,s,r):Xo(nr(i),t,e,n,s,r,1);break}}}function hw(i){let t=i.prev,e=i,n=i.next;if(Xe(t,e,n)>=0)return!1;let s=t.x,r=e.x,o=n.x,a=t.y,l=e.y,c=n.y,h=s<r?s<o?s:o:r<o?r:o,f=a<l?a<c?a:c:l<c?l:c,u=s>r?s>o?s:o:r>o?r:o,p=a>l?a>c?a:c:l>c?l:c,g=n.next;for(;g!==t;){if(g.x>=h&&g.x<=u&&g.y>=f&&g.y<=p&&Zr(s,a,r,l,o,c,g.x,g.y)&&Xe(g.prev,g,g.next)>=0)return!1;g=g.next}return!0}function uw(i,t,e,n){let s=i.prev,r=i,o=i.next;if(Xe(s,r,o)>=0)return!1;let a=s.x,l=r.x,c=o.x,h=s.y,f=r.y,u=o.y,p=a<l?a<c?a:c:l<c?l:c,g=h<f?h<u?h:u:f<u?f:u,x=a>l?a>c?a:c:l>c?l:c,m=h>f?h>u?h:u:f>u?f:u,d=Lu(p,g,t,e,n),E=Lu(x,m,t,e,n),M=i.prevZ,v=i.nextZ;for(;M&&M.z>=d&&v&&v.z<=E;){if(M.x>=p&&M.x<=x&&M.y>=g&&M.y<=m&&M!==s&&M!==o&&Zr(a,h,l,f,c,u,M.x,M.y)&&Xe(M.prev,M,M.next)>=0||(M=M.prevZ,v.x>=p&&v.x<=x&&v.y>=g&&v.y<=m&&v!==s&&v!==o&&Zr(a,h,l,f,c,u,v.x,v.y)&&Xe(v.prev,v,v.next)>=0))return!1;v=v.nextZ}for(;M&&M.z>=d;){if(M.x>=p&&M.x<=x&&M.y>=g&&M.y<=m&&M!==s&&M!==o&&Zr(a,h,l,f,c,u,M.x,M.y)&&Xe(M.prev,M,M.next)>=0)return!1;M=M.prevZ}for(;v&&v.z<=E;){if(v.x>=p&&v.x<=x&&v.y>=g&&v.y<=m&&v!==s&&v!==o&&Zr(a,h,l,f,c,u,v.x,v.y)&&Xe(v.prev,v,v.next)>=0)return!1;v=v.nextZ}return!0}function fw(i,t,e){let n=i;do{let s=n.prev,r=n.next.next;!ql(s,r)&&ng(s,n,n.next,r)&&qo(s,r)&&qo(r,s)&&(t.push(s.i/e|0),t.push(n.i/e|0),t.push(r.i/e|0),Yo(n),Yo(n.next),n=i=r),n=n.next}while(n!==i);return nr(n)}function dw(i,t,e,n,s,r){let o=i;do{let a=o.next.next;for(;a!==o.prev;){if(o.i!==a.i&&Sw(o,a)){let l=ig(o,a);o=nr(o,o.next),l=nr(l,l.next),Xo(o,t,e,n,s,r,0),Xo(l,t,e,n,s,r,0);return}a=a.next}o=o.next}while(o!==i)}function pw(i,t,e,n){let s=[],r,o,a,l,c;for(r=0,o=t.length;r<o;r++)a=t[r]*n,l=r<o-1?t[r+1]*n:i.length,c=eg(i,a,l,n,!1),c===c.next&&(c.steiner=!0),s.push(Mw(c));for(s.sort(mw),r=0;r<s.length;r++)e=gw(s[r],e);return e}function mw(i,t){return i.x-t.x}function gw(i,t){let e=_w(i,t);if(!e)return t;let n=ig(e,i);return nr(n,n.next),nr(e,e.next)}function _w(i,t){let e=t,n=-1/0,s,r=i.x,o=i.y;do{if(o<=e.y&&o>=e.next.y&&e.next.y!==e.y){let u=e.x+(o-e.y)*(e.next.x-e.x)/(e.next.y-e.y);if(u<=r&&u>n&&(n=u,s=e.x<e.next.x?e:e.next,u===r))return s}e=e.next}while(e!==t);if(!s)return null;let a=s,l=s.x,c=s.y,h=1/0,f;e=s;do r>=e.x&&e.x>=l&&r!==e.x&&Zr(o<c?r:n,o,l,c,o<c?n:r,o,e.x,e.y)&&(f=Math.abs(o-e.y)/(r-e.x),qo(e,i)&&(f<h||f===h&&(e.x>s.x||e.x===s.x&&xw(s,e)))&&(s=e,h=f)),e=e.next;while(e!==a);return s}function xw(i,t){return Xe(i.prev,i,t.prev)<0&&Xe(t.next,i,i.next)<0}function vw(i,t,e,n){let s=i;do s.z===0&&(s.z=Lu(s.x,s.y,t,e,n)),s.prevZ=s.prev,s.nextZ=s.next,s=s.next;while(s!==i);s.prevZ.nextZ=null,s.prevZ=null,yw(s)}function yw(i){let t,e,n,s,r,o,a,l,c=1;do{for(e=i,i=null,r=null,o=0;e;){for(o++,n=e,a=0,t=0;t<c&&(a++,n=n.nextZ,!!n);t++);for(l=c;a>0||l>0&&n;)a!==0&&(l===0||!n||e.z<=n.z)?(s=e,e=e.nextZ,a--):(s=n,n=n.nextZ,l--),r?r.nextZ=s:i=s,s.prevZ=r,r=s;e=n}r.nextZ=null,c*=2}while(o>1);return i}function Lu(i,t,e,n,s){return i=(i-e)*s|0,t=(t-n)*s|0,i=(i|i<<8)&16711935,i=(i|i<<4)&252645135,i=(i|i<<2)&858993459,i=(i|i<<1)&1431655765,t=(t|t<<8)&16711935,t=(t|t<<4)&252645135,t=(t|t<<2)&858993459,t=(t|t<<1)&1431655765,i|t<<1}function Mw(i){let t=i,e=i;do(t.x<e.x||t.x===e.x&&t.y<e.y)&&(e=t),t=t.next;while(t!==i);return e}function Zr(i,t,e,n,s,r,o,a){return(s-o)*(t-a)>=(i-o)*(r-a)&&(i-o)*(n-a)>=(e-o)*(t-a)&&(e-o)*(r-a)>=(s-o)*(n-a)}function Sw(i,t){return i.next.i!==t.i&&i.prev.i!==t.i&&!bw(i,t)&&(qo(i,t)&&qo(t,i)&&ww(i,t)&&(Xe(i.prev,i,t.prev)||Xe(i,t.prev,t))||ql(i,t)&&Xe(i.prev,i,i.next)>0&&Xe(t.prev,t,t.next)>0)}function Xe(i,t,e){return(t.y-i.y)*(e.x-t.x)-(t.x-i.x)*(e.y-t.y)}function ql(i,t){return i.x===t.x&&i.y===t.y}function ng(i,t,e,n){let s=Ka(Xe(i,t,e)),r=Ka(Xe(i,t,n)),o=Ka(Xe(e,n,i)),a=Ka(Xe(e,n,t));return!!(s!==r&&o!==a||s===0&&Ja(i,e,t)||r===0&&Ja(i,n,t)||o===0&&Ja(e,i,n)||a===0&&Ja(e,t,n))}function Ja(i,t,e){return t.x<=Math.max(i.x,e.x)&&t.x>=Math.min(i.x,e.x)&&t.y<=Math.max(i.y,e.y)&&t.y>=Math.min(i.y,e.y)}function Ka(i){return i>0?1:i<0?-1:0}function bw(i,t){let e=i;do{if(e.i!==i.i&&e.next.i!==i.i&&e.i!==t.i&&e.next.i!==t.i&&ng(e,e.next,i,t))return!0;e=e.next}while(e!==i);return!1}function qo(i,t){return Xe(i.prev,i,i.next)<0?Xe(i,t,i.next)>=0&&Xe(i,i.prev,t)>=0:Xe(i,t,i.prev)<0||Xe(i,i.next,t)<0}function ww(i,t){let e=i,n=!1,s=(i.x+t.x)/2,r=(i.y+t.y)/2;do e.y>r!=e.next.y>r&&e.next.y!==e.y&&s<(e.next.x-e.x)*(r-e.y)/(e.next.y-e.y)+e.x&&(n=!n),e=e.next;while(e!==i);return n}function ig(i,t){let e=new Du(i.i,i.x,i.y),n=new Du(t.i,t.x,t.y),s=i.next,r=t.prev;return i.next=t,t.prev=i,e.next=s,s.prev=e,n.next=e,e.prev=n,r.next=n,n.prev=r,n}function Tm(i,t,e,n){let s=new Du(i,t,e);return n?(s.next=n.next,s.prev=n,n.next.prev=s,n.next=s):(s.prev=s,s.next=s),s}function Yo(i){i.next.prev=i.prev,i.prev.next=i.next,i.prevZ&&(i.prevZ.nextZ=i.nextZ),i.nextZ&&(i.nextZ.prevZ=i.prevZ)}function Du(i,t,e){this.i=i,this.x=t,this.y=e,this.prev=null,this.next=null,this.z=0,this.prevZ=null,this.nextZ=null,this.steiner=!1}function Ew(i,t,e,n){let s=0;for(let r=t,o=e-n;r<e;r+=n)s+=(i[o]-i[r])*(i[r+1]+i[o+1]),o=r;return s}function Cm(i){let t=i.length;t>2&&i[t-1].equals(i[0])&&i.pop()}function Rm(i,t){for(let e=0;e<t.length;e++)i.push(t[e].x),i.push(t[e].y)}function Tw(i,t,e){if(e.shapes=[],Array.isArray(i))for(let n=0,s=i.length;n<s;n++){let r=i[n];e.shapes.push(r.uuid)}else e.shapes.push(i.uuid);return e.options=Object.assign({},t),t.extrudePath!==void 0&&(e.options.extrudePath=t.extrudePath.toJSON()),e}function Cw(i,t){if(t.shapes=[],Array.isArray(i))for(let e=0,n=i.length;e<n;e++){let s=i[e];t.shapes.push(s.uuid)}else t.shapes.push(i.uuid);return t}function Pm(i,t,e){let n=`${i.x},${i.y},${i.z}-${t.x},${t.y},${t.z}`,s=`${t.x},${t.y},${t.z}-${i.x},${i.y},${i.z}`;return e.has(n)===!0||e.has(s)===!0?!1:(e.add(n),e.add(s),!0)}function ja(i,t,e){return!i||!e&&i.constructor===t?i:typeof t.BYTES_PER_ELEMENT=="number"?new t(i):Array.prototype.slice.call(i)}function Rw(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}var Wu,nx,Sp,ix,Lm,sx,Ji,bs,Fn,gi,ys,Jr,bp,wp,Ep,rx,Ys,ox,ax,lx,cx,hx,ux,fx,dx,Mh,Sh,px,mx,gx,_x,xx,vx,yx,Mx,Sx,bh,wh,Eh,to,Ah,Th,Ch,Rh,Dm,bx,wx,Ms,Ex,Ax,Tx,Cx,Rx,Px,Ix,Um,eo,no,Ph,Ih,Hl,Lh,Js,Dh,vi,Lx,Aa,Pi,Gc,Ks,es,Nm,Fm,Bo,Xu,js,ji,$o,qu,Yu,io,Om,Bm,zm,xi,km,Vm,Kr,so,Hm,$u,Gm,Zu,Ju,tl,el,nl,il,Uh,Nh,Fh,Oh,Bh,zh,kh,Vh,Hh,Gh,Wh,Xh,qh,Yh,$h,Zh,Jh,Kh,jh,Qh,tu,sl,eu,nu,Wm,iu,su,ru,rl,ou,Wc,Ap,Tp,Cp,Dx,Ux,Nx,Fx,vs,ni,Es,Gl,Ie,Dr,Rp,Ox,Bx,zx,Xm,kx,Vx,Hx,Gx,au,Pp,Qi,ol,ws,Mn,Ip,Do,zo,qm,bt,le,Xc,Lp,ge,Dp,Up,Np,Fp,Op,Ur,lu,hv,ll,uv,ii,Fe,cu,ns,cl,hu,yi,O,Yc,Bp,si,Xi,di,Ta,Nr,Fr,Or,ds,ps,ks,Ao,Ca,Ra,Vs,fv,To,Zc,Li,qi,Jc,Pa,ms,Kc,Ia,jc,hl,Oe,Br,pi,dv,pv,gs,La,Xn,zp,kp,is,ul,mv,Vp,zr,Yi,Da,Co,gv,_v,Hp,Gp,Wp,Xp,xv,kr,Qc,ri,mi,$i,th,Zi,Vr,Hr,qp,eh,nh,ih,sh,rh,oh,$s,$m,_s,Ua,xe,Sn,vv,Qs,fl,tn,Na,Yn,dl,pl,oe,yv,ei,lh,Gr,qn,Ro,dn,Ye,Yp,Hs,Fa,$p,Oa,Ba,za,ch,ka,Zp,Va,bn,ko,Wl,bv,wv,On,ml,xs,Jp,Kp,In,Wr,Xr,uu,gl,fu,hh,Ev,Av,Ki,Gs,Ga,_l,xl,Cv,Rv,Pv,Iv,Lv,Dv,Uv,Nv,Fv,Ov,Bv,zv,kv,Vv,Hv,Gv,Wv,Xv,qv,Yv,$v,Zv,Jv,Kv,jv,Qv,ty,ey,ny,iy,sy,ry,oy,ay,ly,cy,hy,uy,fy,dy,py,my,gy,_y,xy,vy,yy,My,Sy,by,wy,Ey,Ay,Ty,Cy,Ry,Py,Iy,Ly,Dy,Uy,Ny,Fy,Oy,By,zy,ky,Vy,Hy,Gy,Wy,Xy,qy,Yy,$y,Zy,Jy,Ky,jy,Qy,tM,eM,nM,iM,sM,rM,oM,aM,lM,cM,hM,uM,fM,dM,pM,mM,gM,_M,xM,vM,yM,MM,SM,bM,wM,EM,AM,TM,CM,RM,PM,IM,LM,DM,UM,NM,FM,OM,BM,zM,kM,VM,HM,GM,WM,XM,qM,YM,$M,ZM,JM,KM,jM,QM,tS,eS,nS,iS,sS,rS,oS,ce,Et,Ln,Wa,Ws,aS,Vo,Yr,jp,Zs,uh,Qp,fh,dh,ph,mh,qs,qr,tm,vl,yl,Km,sm,jm,Qm,tg,rm,om,am,lm,cm,du,pu,mu,gh,Qr,hb,ub,fm,qa,yb,Mb,bb,Ib,_u,xu,Bb,vu,yu,Hb,Gb,Xb,Mu,$r,Jb,No,Kb,jb,Su,bu,Xs,Qb,Ml,Sl,wu,Rn,Di,Ho,bl,wl,Sm,Po,Ya,_h,bm,Eu,wm,Em,El,oi,Go,Au,Za,xh,vh,yh,Wo,Al,Tu,Tl,Cu,Cl,Rl,Pl,Il,Ru,tr,Pu,Ll,Iu,Dl,er,cw,Ss,Ul,Aw,Nl,Fl,Ol,Bl,oo,Uu,Nu,Fu,Mi,ir,Ou,Bu,zu,zl,sr,ku,Vu,Pw,Hu,kl,tf,Iw,ef,Lw,Dw,Uw,Nw,Fw,Ow,Bw,Gu,We,A1,rr,Im,Qa,Vl,Zo=yr(()=>{Wu="170",nx=0,Sp=1,ix=2,Lm=1,sx=2,Ji=3,bs=0,Fn=1,gi=2,ys=0,Jr=1,bp=2,wp=3,Ep=4,rx=5,Ys=100,ox=101,ax=102,lx=103,cx=104,hx=200,ux=201,fx=202,dx=203,Mh=204,Sh=205,px=206,mx=207,gx=208,_x=209,xx=210,vx=211,yx=212,Mx=213,Sx=214,bh=0,wh=1,Eh=2,to=3,Ah=4,Th=5,Ch=6,Rh=7,Dm=0,bx=1,wx=2,Ms=0,Ex=1,Ax=2,Tx=3,Cx=4,Rx=5,Px=6,Ix=7,Um=300,eo=301,no=302,Ph=303,Ih=304,Hl=306,Lh=1e3,Js=1001,Dh=1002,vi=1003,Lx=1004,Aa=1005,Pi=1006,Gc=1007,Ks=1008,es=1009,Nm=1010,Fm=1011,Bo=1012,Xu=1013,js=1014,ji=1015,$o=1016,qu=1017,Yu=1018,io=1020,Om=35902,Bm=1021,zm=1022,xi=1023,km=1024,Vm=1025,Kr=1026,so=1027,Hm=1028,$u=1029,Gm=1030,Zu=1031,Ju=1033,tl=33776,el=33777,nl=33778,il=33779,Uh=35840,Nh=35841,Fh=35842,Oh=35843,Bh=36196,zh=37492,kh=37496,Vh=37808,Hh=37809,Gh=37810,Wh=37811,Xh=37812,qh=37813,Yh=37814,$h=37815,Zh=37816,Jh=37817,Kh=37818,jh=37819,Qh=37820,tu=37821,sl=36492,eu=36494,nu=36495,Wm=36283,iu=36284,su=36285,ru=36286,rl=2300,ou=2301,Wc=2302,Ap=2400,Tp=2401,Cp=2402,Dx=3200,Ux=3201,Nx=0,Fx=1,vs="",ni="srgb",Es="srgb-linear",Gl="linear",Ie="srgb",Dr=7680,Rp=519,Ox=512,Bx=513,zx=514,Xm=515,kx=516,Vx=517,Hx=518,Gx=519,au=35044,Pp="300 es",Qi=2e3,ol=2001,ws=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){if(this._listeners===void 0)return!1;let n=this._listeners;return n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){if(this._listeners===void 0)return;let s=this._listeners[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){if(this._listeners===void 0)return;let n=this._listeners[t.type];if(n!==void 0){t.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},Mn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],Ip=1234567,Do=Math.PI/180,zo=180/Math.PI;qm={DEG2RAD:Do,RAD2DEG:zo,generateUUID:Ii,clamp:rn,euclideanModulo:Ku,mapLinear:Wx,inverseLerp:Xx,lerp:Uo,damp:qx,pingpong:Yx,smoothstep:$x,smootherstep:Zx,randInt:Jx,randFloat:Kx,randFloatSpread:jx,seededRandom:Qx,degToRad:tv,radToDeg:ev,isPowerOfTwo:nv,ceilPowerOfTwo:iv,floorPowerOfTwo:sv,setQuaternionFromProperEuler:rv,normalize:Te,denormalize:_i},bt=class i{constructor(t=0,e=0){i.prototype.isVector2=!0,this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=Math.max(t.x,Math.min(e.x,this.x)),this.y=Math.max(t.y,Math.min(e.y,this.y)),this}clampScalar(t,e){return this.x=Math.max(t,Math.min(e,this.x)),this.y=Math.max(t,Math.min(e,this.y)),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Math.max(t,Math.min(e,n)))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(rn(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},le=class i{constructor(t,e,n,s,r,o,a,l,c){i.prototype.isMatrix3=!0,this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c)}set(t,e,n,s,r,o,a,l,c){let h=this.elements;return h[0]=t,h[1]=s,h[2]=a,h[3]=e,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],f=n[7],u=n[2],p=n[5],g=n[8],x=s[0],m=s[3],d=s[6],E=s[1],M=s[4],v=s[7],P=s[2],T=s[5],I=s[8];return r[0]=o*x+a*E+l*P,r[3]=o*m+a*M+l*T,r[6]=o*d+a*v+l*I,r[1]=c*x+h*E+f*P,r[4]=c*m+h*M+f*T,r[7]=c*d+h*v+f*I,r[2]=u*x+p*E+g*P,r[5]=u*m+p*M+g*T,r[8]=u*d+p*v+g*I,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8];return e*o*h-e*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],f=h*o-a*c,u=a*l-h*r,p=c*r-o*l,g=e*f+n*u+s*p;if(g===0)return this.set(0,0,0,0,0,0,0,0,0);let x=1/g;return t[0]=f*x,t[1]=(s*c-h*n)*x,t[2]=(a*n-s*o)*x,t[3]=u*x,t[4]=(h*e-s*l)*x,t[5]=(s*r-a*e)*x,t[6]=p*x,t[7]=(n*l-c*e)*x,t[8]=(o*e-n*r)*x,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+t,-s*c,s*l,-s*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return this.premultiply(Xc.makeScale(t,e)),this}rotate(t){return this.premultiply(Xc.makeRotation(-t)),this}translate(t,e){return this.premultiply(Xc.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}},Xc=new le;Lp={};ge={enabled:!0,workingColorSpace:Es,spaces:{},convert:function(i,t,e){return this.enabled===!1||t===e||!t||!e||(this.spaces[t].transfer===Ie&&(i.r=ts(i.r),i.g=ts(i.g),i.b=ts(i.b)),this.spaces[t].primaries!==this.spaces[e].primaries&&(i.applyMatrix3(this.spaces[t].toXYZ),i.applyMatrix3(this.spaces[e].fromXYZ)),this.spaces[e].transfer===Ie&&(i.r=jr(i.r),i.g=jr(i.g),i.b=jr(i.b))),i},fromWorkingColorSpace:function(i,t){return this.convert(i,this.workingColorSpace,t)},toWorkingColorSpace:function(i,t){return this.convert(i,t,this.workingColorSpace)},getPrimaries:function(i){return this.spaces[i].primaries},getTransfer:function(i){return i===vs?Gl:this.spaces[i].transfer},getLuminanceCoefficients:function(i,t=this.workingColorSpace){return i.fromArray(this.spaces[t].luminanceCoefficients)},define:function(i){Object.assign(this.spaces,i)},_getMatrix:function(i,t,e){return i.copy(this.spaces[t].toXYZ).multiply(this.spaces[e].fromXYZ)},_getDrawingBufferColorSpace:function(i){return this.spaces[i].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(i=this.workingColorSpace){return this.spaces[i].workingColorSpaceConfig.unpackColorSpace}};Dp=[.64,.33,.3,.6,.15,.06],Up=[.2126,.7152,.0722],Np=[.3127,.329],Fp=new le().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Op=new le().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);ge.define({[Es]:{primaries:Dp,whitePoint:Np,transfer:Gl,toXYZ:Fp,fromXYZ:Op,luminanceCoefficients:Up,workingColorSpaceConfig:{unpackColorSpace:ni},outputColorSpaceConfig:{drawingBufferColorSpace:ni}},[ni]:{primaries:Dp,whitePoint:Np,transfer:Ie,toXYZ:Fp,fromXYZ:Op,luminanceCoefficients:Up,outputColorSpaceConfig:{drawingBufferColorSpace:ni}}});lu=class{static getDataURL(t){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let e;if(t instanceof HTMLCanvasElement)e=t;else{Ur===void 0&&(Ur=al("canvas")),Ur.width=t.width,Ur.height=t.height;let n=Ur.getContext("2d");t instanceof ImageData?n.putImageData(t,0,0):n.drawImage(t,0,0,t.width,t.height),e=Ur}return e.width>2048||e.height>2048?(console.warn("THREE.ImageUtils.getDataURL: Image converted to jpg for performance reasons",t),e.toDataURL("image/jpeg",.6)):e.toDataURL("image/png")}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=al("canvas");e.width=t.width,e.height=t.height;let n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);let s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=ts(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(ts(e[n]/255)*255):e[n]=ts(e[n]);return{data:e,width:t.width,height:t.height}}else return console.warn("THREE.ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},hv=0,ll=class{constructor(t=null){this.isSource=!0,Object.defineProperty(this,"id",{value:hv++}),this.uuid=Ii(),this.data=t,this.dataReady=!0,this.version=0}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(qc(s[o].image)):r.push(qc(s[o]))}else r=qc(s);n.url=r}return e||(t.images[this.uuid]=n),n}};uv=0,ii=class i extends ws{constructor(t=i.DEFAULT_IMAGE,e=i.DEFAULT_MAPPING,n=Js,s=Js,r=Pi,o=Ks,a=xi,l=es,c=i.DEFAULT_ANISOTROPY,h=vs){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:uv++}),this.uuid=Ii(),this.name="",this.source=new ll(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new bt(0,0),this.repeat=new bt(1,1),this.center=new bt(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new le,this.generateMipmaps=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.version=0,this.onUpdate=null,this.isRenderTargetTexture=!1,this.pmremVersion=0}get image(){return this.source.data}set image(t=null){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let n={metadata:{version:4.6,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==Um)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case Lh:t.x=t.x-Math.floor(t.x);break;case Js:t.x=t.x<0?0:1;break;case Dh:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case Lh:t.y=t.y-Math.floor(t.y);break;case Js:t.y=t.y<0?0:1;break;case Dh:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};ii.DEFAULT_IMAGE=null;ii.DEFAULT_MAPPING=Um;ii.DEFAULT_ANISOTROPY=1;Fe=class i{constructor(t=0,e=0,n=0,s=1){i.prototype.isVector4=!0,this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r,l=t.elements,c=l[0],h=l[4],f=l[8],u=l[1],p=l[5],g=l[9],x=l[2],m=l[6],d=l[10];if(Math.abs(h-u)<.01&&Math.abs(f-x)<.01&&Math.abs(g-m)<.01){if(Math.abs(h+u)<.1&&Math.abs(f+x)<.1&&Math.abs(g+m)<.1&&Math.abs(c+p+d-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let M=(c+1)/2,v=(p+1)/2,P=(d+1)/2,T=(h+u)/4,I=(f+x)/4,L=(g+m)/4;return M>v&&M>P?M<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(M),s=T/n,r=I/n):v>P?v<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(v),n=T/s,r=L/s):P<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(P),n=I/r,s=L/r),this.set(n,s,r,e),this}let E=Math.sqrt((m-g)*(m-g)+(f-x)*(f-x)+(u-h)*(u-h));return Math.abs(E)<.001&&(E=1),this.x=(m-g)/E,this.y=(f-x)/E,this.z=(u-h)/E,this.w=Math.acos((c+p+d-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=Math.max(t.x,Math.min(e.x,this.x)),this.y=Math.max(t.y,Math.min(e.y,this.y)),this.z=Math.max(t.z,Math.min(e.z,this.z)),this.w=Math.max(t.w,Math.min(e.w,this.w)),this}clampScalar(t,e){return this.x=Math.max(t,Math.min(e,this.x)),this.y=Math.max(t,Math.min(e,this.y)),this.z=Math.max(t,Math.min(e,this.z)),this.w=Math.max(t,Math.min(e,this.w)),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Math.max(t,Math.min(e,n)))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},cu=class extends ws{constructor(t=1,e=1,n={}){super(),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=1,this.scissor=new Fe(0,0,t,e),this.scissorTest=!1,this.viewport=new Fe(0,0,t,e);let s={width:t,height:e,depth:1};n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Pi,depthBuffer:!0,stencilBuffer:!1,resolveDepthBuffer:!0,resolveStencilBuffer:!0,depthTexture:null,samples:0,count:1},n);let r=new ii(s,n.mapping,n.wrapS,n.wrapT,n.magFilter,n.minFilter,n.format,n.type,n.anisotropy,n.colorSpace);r.flipY=!1,r.generateMipmaps=n.generateMipmaps,r.internalFormat=n.internalFormat,this.textures=[];let o=n.count;for(let a=0;a<o;a++)this.textures[a]=r.clone(),this.textures[a].isRenderTargetTexture=!0;this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.depthTexture=n.depthTexture,this.samples=n.samples}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n;this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let n=0,s=t.textures.length;n<s;n++)this.textures[n]=t.textures[n].clone(),this.textures[n].isRenderTargetTexture=!0;let e=Object.assign({},t.texture.image);return this.texture.source=new ll(e),this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,t.depthTexture!==null&&(this.depthTexture=t.depthTexture.clone()),this.samples=t.samples,this}dispose(){this.dispatchEvent({type:"dispose"})}},ns=class extends cu{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}},cl=class extends ii{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=vi,this.minFilter=vi,this.wrapR=Js,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}},hu=class extends ii{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=vi,this.minFilter=vi,this.wrapR=Js,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},yi=class{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],f=n[s+3],u=r[o+0],p=r[o+1],g=r[o+2],x=r[o+3];if(a===0){t[e+0]=l,t[e+1]=c,t[e+2]=h,t[e+3]=f;return}if(a===1){t[e+0]=u,t[e+1]=p,t[e+2]=g,t[e+3]=x;return}if(f!==x||l!==u||c!==p||h!==g){let m=1-a,d=l*u+c*p+h*g+f*x,E=d>=0?1:-1,M=1-d*d;if(M>Number.EPSILON){let P=Math.sqrt(M),T=Math.atan2(P,d*E);m=Math.sin(m*T)/P,a=Math.sin(a*T)/P}let v=a*E;if(l=l*m+u*v,c=c*m+p*v,h=h*m+g*v,f=f*m+x*v,m===1-a){let P=1/Math.sqrt(l*l+c*c+h*h+f*f);l*=P,c*=P,h*=P,f*=P}}t[e]=l,t[e+1]=c,t[e+2]=h,t[e+3]=f}static multiplyQuaternionsFlat(t,e,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],f=r[o],u=r[o+1],p=r[o+2],g=r[o+3];return t[e]=a*g+h*f+l*p-c*u,t[e+1]=l*g+h*u+c*f-a*p,t[e+2]=c*g+h*p+a*u-l*f,t[e+3]=h*g-a*f-l*u-c*p,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),f=a(r/2),u=l(n/2),p=l(s/2),g=l(r/2);switch(o){case"XYZ":this._x=u*h*f+c*p*g,this._y=c*p*f-u*h*g,this._z=c*h*g+u*p*f,this._w=c*h*f-u*p*g;break;case"YXZ":this._x=u*h*f+c*p*g,this._y=c*p*f-u*h*g,this._z=c*h*g-u*p*f,this._w=c*h*f+u*p*g;break;case"ZXY":this._x=u*h*f-c*p*g,this._y=c*p*f+u*h*g,this._z=c*h*g+u*p*f,this._w=c*h*f-u*p*g;break;case"ZYX":this._x=u*h*f-c*p*g,this._y=c*p*f+u*h*g,this._z=c*h*g-u*p*f,this._w=c*h*f+u*p*g;break;case"YZX":this._x=u*h*f+c*p*g,this._y=c*p*f+u*h*g,this._z=c*h*g-u*p*f,this._w=c*h*f-u*p*g;break;case"XZY":this._x=u*h*f-c*p*g,this._y=c*p*f-u*h*g,this._z=c*h*g+u*p*f,this._w=c*h*f+u*p*g;break;default:console.warn("THREE.Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],h=e[6],f=e[10],u=n+a+f;if(u>0){let p=.5/Math.sqrt(u+1);this._w=.25/p,this._x=(h-l)*p,this._y=(r-c)*p,this._z=(o-s)*p}else if(n>a&&n>f){let p=2*Math.sqrt(1+n-a-f);this._w=(h-l)/p,this._x=.25*p,this._y=(s+o)/p,this._z=(r+c)/p}else if(a>f){let p=2*Math.sqrt(1+a-n-f);this._w=(r-c)/p,this._x=(s+o)/p,this._y=.25*p,this._z=(l+h)/p}else{let p=2*Math.sqrt(1+f-n-a);this._w=(o-s)/p,this._x=(r+c)/p,this._y=(l+h)/p,this._z=.25*p}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<Number.EPSILON?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(rn(this.dot(t),-1,1)))}rotateTowards(t,e){let n=this.angleTo(t);if(n===0)return this;let s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,h=e._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){if(e===0)return this;if(e===1)return this.copy(t);let n=this._x,s=this._y,r=this._z,o=this._w,a=o*t._w+n*t._x+s*t._y+r*t._z;if(a<0?(this._w=-t._w,this._x=-t._x,this._y=-t._y,this._z=-t._z,a=-a):this.copy(t),a>=1)return this._w=o,this._x=n,this._y=s,this._z=r,this;let l=1-a*a;if(l<=Number.EPSILON){let p=1-e;return this._w=p*o+e*this._w,this._x=p*n+e*this._x,this._y=p*s+e*this._y,this._z=p*r+e*this._z,this.normalize(),this}let c=Math.sqrt(l),h=Math.atan2(c,a),f=Math.sin((1-e)*h)/c,u=Math.sin(e*h)/c;return this._w=o*f+this._w*u,this._x=n*f+this._x*u,this._y=s*f+this._y*u,this._z=r*f+this._z*u,this._onChangeCallback(),this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},O=class i{constructor(t=0,e=0,n=0){i.prototype.isVector3=!0,this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(Bp.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(Bp.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*s-a*n),h=2*(a*e-r*s),f=2*(r*n-o*e);return this.x=e+l*c+o*f-a*h,this.y=n+l*h+a*c-r*f,this.z=s+l*f+r*h-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=Math.max(t.x,Math.min(e.x,this.x)),this.y=Math.max(t.y,Math.min(e.y,this.y)),this.z=Math.max(t.z,Math.min(e.z,this.z)),this}clampScalar(t,e){return this.x=Math.max(t,Math.min(e,this.x)),this.y=Math.max(t,Math.min(e,this.y)),this.z=Math.max(t,Math.min(e,this.z)),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Math.max(t,Math.min(e,n)))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return Yc.copy(this).projectOnVector(t),this.sub(Yc)}reflect(t){return this.sub(Yc.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(rn(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){let s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Yc=new O,Bp=new yi,si=class{constructor(t=new O(1/0,1/0,1/0),e=new O(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(di.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(di.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let n=di.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let n=t.geometry;if(n!==void 0){let r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,di):di.fromBufferAttribute(r,o),di.applyMatrix4(t.matrixWorld),this.expandByPoint(di);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),Ta.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),Ta.copy(n.boundingBox)),Ta.applyMatrix4(t.matrixWorld),this.union(Ta)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,di),di.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(Ao),Ca.subVectors(this.max,Ao),Nr.subVectors(t.a,Ao),Fr.subVectors(t.b,Ao),Or.subVectors(t.c,Ao),ds.subVectors(Fr,Nr),ps.subVectors(Or,Fr),ks.subVectors(Nr,Or);let e=[0,-ds.z,ds.y,0,-ps.z,ps.y,0,-ks.z,ks.y,ds.z,0,-ds.x,ps.z,0,-ps.x,ks.z,0,-ks.x,-ds.y,ds.x,0,-ps.y,ps.x,0,-ks.y,ks.x,0];return!$c(e,Nr,Fr,Or,Ca)||(e=[1,0,0,0,1,0,0,0,1],!$c(e,Nr,Fr,Or,Ca))?!1:(Ra.crossVectors(ds,ps),e=[Ra.x,Ra.y,Ra.z],$c(e,Nr,Fr,Or,Ca))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,di).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(di).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(Xi[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),Xi[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),Xi[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),Xi[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),Xi[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),Xi[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),Xi[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),Xi[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(Xi),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}},Xi=[new O,new O,new O,new O,new O,new O,new O,new O],di=new O,Ta=new si,Nr=new O,Fr=new O,Or=new O,ds=new O,ps=new O,ks=new O,Ao=new O,Ca=new O,Ra=new O,Vs=new O;fv=new si,To=new O,Zc=new O,Li=class{constructor(t=new O,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let n=this.center;e!==void 0?n.copy(e):fv.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;To.subVectors(t,this.center);let e=To.lengthSq();if(e>this.radius*this.radius){let n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(To,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Zc.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(To.copy(t.center).add(Zc)),this.expandByPoint(To.copy(t.center).sub(Zc))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}},qi=new O,Jc=new O,Pa=new O,ms=new O,Kc=new O,Ia=new O,jc=new O,hl=class{constructor(t=new O,e=new O(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,qi)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=qi.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(qi.copy(this.origin).addScaledVector(this.direction,e),qi.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){Jc.copy(t).add(e).multiplyScalar(.5),Pa.copy(e).sub(t).normalize(),ms.copy(this.origin).sub(Jc);let r=t.distanceTo(e)*.5,o=-this.direction.dot(Pa),a=ms.dot(this.direction),l=-ms.dot(Pa),c=ms.lengthSq(),h=Math.abs(1-o*o),f,u,p,g;if(h>0)if(f=o*l-a,u=o*a-l,g=r*h,f>=0)if(u>=-g)if(u<=g){let x=1/h;f*=x,u*=x,p=f*(f+o*u+2*a)+u*(o*f+u+2*l)+c}else u=r,f=Math.max(0,-(o*u+a)),p=-f*f+u*(u+2*l)+c;else u=-r,f=Math.max(0,-(o*u+a)),p=-f*f+u*(u+2*l)+c;else u<=-g?(f=Math.max(0,-(-o*r+a)),u=f>0?-r:Math.min(Math.max(-r,-l),r),p=-f*f+u*(u+2*l)+c):u<=g?(f=0,u=Math.min(Math.max(-r,-l),r),p=u*(u+2*l)+c):(f=Math.max(0,-(o*r+a)),u=f>0?r:Math.min(Math.max(-r,-l),r),p=-f*f+u*(u+2*l)+c);else u=o>0?-r:r,f=Math.max(0,-(o*u+a)),p=-f*f+u*(u+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,f),s&&s.copy(Jc).addScaledVector(Pa,u),p}intersectSphere(t,e){qi.subVectors(t.center,this.origin);let n=qi.dot(this.direction),s=qi.dot(qi)-n*n,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){let n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,f=1/this.direction.z,u=this.origin;return c>=0?(n=(t.min.x-u.x)*c,s=(t.max.x-u.x)*c):(n=(t.max.x-u.x)*c,s=(t.min.x-u.x)*c),h>=0?(r=(t.min.y-u.y)*h,o=(t.max.y-u.y)*h):(r=(t.max.y-u.y)*h,o=(t.min.y-u.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),f>=0?(a=(t.min.z-u.z)*f,l=(t.max.z-u.z)*f):(a=(t.max.z-u.z)*f,l=(t.min.z-u.z)*f),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,qi)!==null}intersectTriangle(t,e,n,s,r){Kc.subVectors(e,t),Ia.subVectors(n,t),jc.crossVectors(Kc,Ia);let o=this.direction.dot(jc),a;if(o>0){if(s)return null;a=1}else if(o<0)a=-1,o=-o;else return null;ms.subVectors(this.origin,t);let l=a*this.direction.dot(Ia.crossVectors(ms,Ia));if(l<0)return null;let c=a*this.direction.dot(Kc.cross(ms));if(c<0||l+c>o)return null;let h=-a*ms.dot(jc);return h<0?null:this.at(h/o,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},Oe=class i{constructor(t,e,n,s,r,o,a,l,c,h,f,u,p,g,x,m){i.prototype.isMatrix4=!0,this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c,h,f,u,p,g,x,m)}set(t,e,n,s,r,o,a,l,c,h,f,u,p,g,x,m){let d=this.elements;return d[0]=t,d[4]=e,d[8]=n,d[12]=s,d[1]=r,d[5]=o,d[9]=a,d[13]=l,d[2]=c,d[6]=h,d[10]=f,d[14]=u,d[3]=p,d[7]=g,d[11]=x,d[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){let e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){let e=this.elements,n=t.elements,s=1/Br.setFromMatrixColumn(t,0).length(),r=1/Br.setFromMatrixColumn(t,1).length(),o=1/Br.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),f=Math.sin(r);if(t.order==="XYZ"){let u=o*h,p=o*f,g=a*h,x=a*f;e[0]=l*h,e[4]=-l*f,e[8]=c,e[1]=p+g*c,e[5]=u-x*c,e[9]=-a*l,e[2]=x-u*c,e[6]=g+p*c,e[10]=o*l}else if(t.order==="YXZ"){let u=l*h,p=l*f,g=c*h,x=c*f;e[0]=u+x*a,e[4]=g*a-p,e[8]=o*c,e[1]=o*f,e[5]=o*h,e[9]=-a,e[2]=p*a-g,e[6]=x+u*a,e[10]=o*l}else if(t.order==="ZXY"){let u=l*h,p=l*f,g=c*h,x=c*f;e[0]=u-x*a,e[4]=-o*f,e[8]=g+p*a,e[1]=p+g*a,e[5]=o*h,e[9]=x-u*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){let u=o*h,p=o*f,g=a*h,x=a*f;e[0]=l*h,e[4]=g*c-p,e[8]=u*c+x,e[1]=l*f,e[5]=x*c+u,e[9]=p*c-g,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){let u=o*l,p=o*c,g=a*l,x=a*c;e[0]=l*h,e[4]=x-u*f,e[8]=g*f+p,e[1]=f,e[5]=o*h,e[9]=-a*h,e[2]=-c*h,e[6]=p*f+g,e[10]=u-x*f}else if(t.order==="XZY"){let u=o*l,p=o*c,g=a*l,x=a*c;e[0]=l*h,e[4]=-f,e[8]=c*h,e[1]=u*f+x,e[5]=o*h,e[9]=p*f-g,e[2]=g*f-p,e[6]=a*h,e[10]=x*f+u}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(dv,t,pv)}lookAt(t,e,n){let s=this.elements;return Xn.subVectors(t,e),Xn.lengthSq()===0&&(Xn.z=1),Xn.normalize(),gs.crossVectors(n,Xn),gs.lengthSq()===0&&(Math.abs(n.z)===1?Xn.x+=1e-4:Xn.z+=1e-4,Xn.normalize(),gs.crossVectors(n,Xn)),gs.normalize(),La.crossVectors(Xn,gs),s[0]=gs.x,s[4]=La.x,s[8]=Xn.x,s[1]=gs.y,s[5]=La.y,s[9]=Xn.y,s[2]=gs.z,s[6]=La.z,s[10]=Xn.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],f=n[5],u=n[9],p=n[13],g=n[2],x=n[6],m=n[10],d=n[14],E=n[3],M=n[7],v=n[11],P=n[15],T=s[0],I=s[4],L=s[8],b=s[12],y=s[1],C=s[5],F=s[9],B=s[13],W=s[2],k=s[6],q=s[10],j=s[14],$=s[3],ot=s[7],lt=s[11],ft=s[15];return r[0]=o*T+a*y+l*W+c*$,r[4]=o*I+a*C+l*k+c*ot,r[8]=o*L+a*F+l*q+c*lt,r[12]=o*b+a*B+l*j+c*ft,r[1]=h*T+f*y+u*W+p*$,r[5]=h*I+f*C+u*k+p*ot,r[9]=h*L+f*F+u*q+p*lt,r[13]=h*b+f*B+u*j+p*ft,r[2]=g*T+x*y+m*W+d*$,r[6]=g*I+x*C+m*k+d*ot,r[10]=g*L+x*F+m*q+d*lt,r[14]=g*b+x*B+m*j+d*ft,r[3]=E*T+M*y+v*W+P*$,r[7]=E*I+M*C+v*k+P*ot,r[11]=E*L+M*F+v*q+P*lt,r[15]=E*b+M*B+v*j+P*ft,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],h=t[2],f=t[6],u=t[10],p=t[14],g=t[3],x=t[7],m=t[11],d=t[15];return g*(+r*l*f-s*c*f-r*a*u+n*c*u+s*a*p-n*l*p)+x*(+e*l*p-e*c*u+r*o*u-s*o*p+s*c*h-r*l*h)+m*(+e*c*f-e*a*p-r*o*f+n*o*p+r*a*h-n*c*h)+d*(-s*a*h-e*l*f+e*a*u+s*o*f-n*o*u+n*l*h)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],f=t[9],u=t[10],p=t[11],g=t[12],x=t[13],m=t[14],d=t[15],E=f*m*c-x*u*c+x*l*p-a*m*p-f*l*d+a*u*d,M=g*u*c-h*m*c-g*l*p+o*m*p+h*l*d-o*u*d,v=h*x*c-g*f*c+g*a*p-o*x*p-h*a*d+o*f*d,P=g*f*l-h*x*l-g*a*u+o*x*u+h*a*m-o*f*m,T=e*E+n*M+s*v+r*P;if(T===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let I=1/T;return t[0]=E*I,t[1]=(x*u*r-f*m*r-x*s*p+n*m*p+f*s*d-n*u*d)*I,t[2]=(a*m*r-x*l*r+x*s*c-n*m*c-a*s*d+n*l*d)*I,t[3]=(f*l*r-a*u*r-f*s*c+n*u*c+a*s*p-n*l*p)*I,t[4]=M*I,t[5]=(h*m*r-g*u*r+g*s*p-e*m*p-h*s*d+e*u*d)*I,t[6]=(g*l*r-o*m*r-g*s*c+e*m*c+o*s*d-e*l*d)*I,t[7]=(o*u*r-h*l*r+h*s*c-e*u*c-o*s*p+e*l*p)*I,t[8]=v*I,t[9]=(g*f*r-h*x*r-g*n*p+e*x*p+h*n*d-e*f*d)*I,t[10]=(o*x*r-g*a*r+g*n*c-e*x*c-o*n*d+e*a*d)*I,t[11]=(h*a*r-o*f*r-h*n*c+e*f*c+o*n*p-e*a*p)*I,t[12]=P*I,t[13]=(h*x*s-g*f*s+g*n*u-e*x*u-h*n*m+e*f*m)*I,t[14]=(g*a*s-o*x*s-g*n*l+e*x*l+o*n*m-e*a*m)*I,t[15]=(o*f*s-h*a*s+h*n*l-e*f*l-o*n*u+e*a*u)*I,this}scale(t){let e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,l=t.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){let s=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,h=o+o,f=a+a,u=r*c,p=r*h,g=r*f,x=o*h,m=o*f,d=a*f,E=l*c,M=l*h,v=l*f,P=n.x,T=n.y,I=n.z;return s[0]=(1-(x+d))*P,s[1]=(p+v)*P,s[2]=(g-M)*P,s[3]=0,s[4]=(p-v)*T,s[5]=(1-(u+d))*T,s[6]=(m+E)*T,s[7]=0,s[8]=(g+M)*I,s[9]=(m-E)*I,s[10]=(1-(u+x))*I,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){let s=this.elements,r=Br.set(s[0],s[1],s[2]).length(),o=Br.set(s[4],s[5],s[6]).length(),a=Br.set(s[8],s[9],s[10]).length();this.determinant()<0&&(r=-r),t.x=s[12],t.y=s[13],t.z=s[14],pi.copy(this);let c=1/r,h=1/o,f=1/a;return pi.elements[0]*=c,pi.elements[1]*=c,pi.elements[2]*=c,pi.elements[4]*=h,pi.elements[5]*=h,pi.elements[6]*=h,pi.elements[8]*=f,pi.elements[9]*=f,pi.elements[10]*=f,e.setFromRotationMatrix(pi),n.x=r,n.y=o,n.z=a,this}makePerspective(t,e,n,s,r,o,a=Qi){let l=this.elements,c=2*r/(e-t),h=2*r/(n-s),f=(e+t)/(e-t),u=(n+s)/(n-s),p,g;if(a===Qi)p=-(o+r)/(o-r),g=-2*o*r/(o-r);else if(a===ol)p=-o/(o-r),g=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return l[0]=c,l[4]=0,l[8]=f,l[12]=0,l[1]=0,l[5]=h,l[9]=u,l[13]=0,l[2]=0,l[6]=0,l[10]=p,l[14]=g,l[3]=0,l[7]=0,l[11]=-1,l[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=Qi){let l=this.elements,c=1/(e-t),h=1/(n-s),f=1/(o-r),u=(e+t)*c,p=(n+s)*h,g,x;if(a===Qi)g=(o+r)*f,x=-2*f;else if(a===ol)g=r*f,x=-1*f;else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return l[0]=2*c,l[4]=0,l[8]=0,l[12]=-u,l[1]=0,l[5]=2*h,l[9]=0,l[13]=-p,l[2]=0,l[6]=0,l[10]=x,l[14]=-g,l[3]=0,l[7]=0,l[11]=0,l[15]=1,this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}},Br=new O,pi=new Oe,dv=new O(0,0,0),pv=new O(1,1,1),gs=new O,La=new O,Xn=new O,zp=new Oe,kp=new yi,is=class i{constructor(t=0,e=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],f=s[2],u=s[6],p=s[10];switch(e){case"XYZ":this._y=Math.asin(rn(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,p),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(u,c),this._z=0);break;case"YXZ":this._x=Math.asin(-rn(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,p),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-f,r),this._z=0);break;case"ZXY":this._x=Math.asin(rn(u,-1,1)),Math.abs(u)<.9999999?(this._y=Math.atan2(-f,p),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-rn(f,-1,1)),Math.abs(f)<.9999999?(this._x=Math.atan2(u,p),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(rn(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-f,r)):(this._x=0,this._y=Math.atan2(a,p));break;case"XZY":this._z=Math.asin(-rn(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(u,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,p),this._y=0);break;default:console.warn("THREE.Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return zp.makeRotationFromQuaternion(t),this.setFromRotationMatrix(zp,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return kp.setFromEuler(this),this.setFromQuaternion(kp,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};is.DEFAULT_ORDER="XYZ";ul=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},mv=0,Vp=new O,zr=new yi,Yi=new Oe,Da=new O,Co=new O,gv=new O,_v=new yi,Hp=new O(1,0,0),Gp=new O(0,1,0),Wp=new O(0,0,1),Xp={type:"added"},xv={type:"removed"},kr={type:"childadded",child:null},Qc={type:"childremoved",child:null},ri=class i extends ws{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:mv++}),this.uuid=Ii(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let t=new O,e=new is,n=new yi,s=new O(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Oe},normalMatrix:{value:new le}}),this.matrix=new Oe,this.matrixWorld=new Oe,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new ul,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.userData={}}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return zr.setFromAxisAngle(t,e),this.quaternion.multiply(zr),this}rotateOnWorldAxis(t,e){return zr.setFromAxisAngle(t,e),this.quaternion.premultiply(zr),this}rotateX(t){return this.rotateOnAxis(Hp,t)}rotateY(t){return this.rotateOnAxis(Gp,t)}rotateZ(t){return this.rotateOnAxis(Wp,t)}translateOnAxis(t,e){return Vp.copy(t).applyQuaternion(this.quaternion),this.position.add(Vp.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(Hp,t)}translateY(t){return this.translateOnAxis(Gp,t)}translateZ(t){return this.translateOnAxis(Wp,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(Yi.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?Da.copy(t):Da.set(t,e,n);let s=this.parent;this.updateWorldMatrix(!0,!1),Co.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?Yi.lookAt(Co,Da,this.up):Yi.lookAt(Da,Co,this.up),this.quaternion.setFromRotationMatrix(Yi),s&&(Yi.extractRotation(s.matrixWorld),zr.setFromRotationMatrix(Yi),this.quaternion.premultiply(zr.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(console.error("THREE.Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(Xp),kr.child=t,this.dispatchEvent(kr),kr.child=null):console.error("THREE.Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(xv),Qc.child=t,this.dispatchEvent(Qc),Qc.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),Yi.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),Yi.multiply(t.parent.matrixWorld)),t.applyMatrix4(Yi),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(Xp),kr.child=t,this.dispatchEvent(kr),kr.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Co,t,gv),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Co,_v,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}traverse(t){t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale),this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e){let n=this.parent;if(t===!0&&n!==null&&n.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),e===!0){let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].updateWorldMatrix(!1,!0)}}toJSON(t){let e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.6,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,this.name!==""&&(s.name=this.name),this.castShadow===!0&&(s.castShadow=!0),this.receiveShadow===!0&&(s.receiveShadow=!0),this.visible===!1&&(s.visible=!1),this.frustumCulled===!1&&(s.frustumCulled=!1),this.renderOrder!==0&&(s.renderOrder=this.renderOrder),Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.matrixAutoUpdate===!1&&(s.matrixAutoUpdate=!1),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.visibility=this._visibility,s.active=this._active,s.bounds=this._bounds.map(a=>({boxInitialized:a.boxInitialized,boxMin:a.box.min.toArray(),boxMax:a.box.max.toArray(),sphereInitialized:a.sphereInitialized,sphereRadius:a.sphere.radius,sphereCenter:a.sphere.center.toArray()})),s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.geometryCount=this._geometryCount,s.matricesTexture=this._matricesTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere={center:s.boundingSphere.center.toArray(),radius:s.boundingSphere.radius}),this.boundingBox!==null&&(s.boundingBox={min:s.boundingBox.min.toArray(),max:s.boundingBox.max.toArray()}));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let f=l[c];r(t.shapes,f)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(t.animations,l))}}if(e){let a=o(t.geometries),l=o(t.materials),c=o(t.textures),h=o(t.images),f=o(t.shapes),u=o(t.skeletons),p=o(t.animations),g=o(t.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),f.length>0&&(n.shapes=f),u.length>0&&(n.skeletons=u),p.length>0&&(n.animations=p),g.length>0&&(n.nodes=g)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){let s=t.children[n];this.add(s.clone())}return this}};ri.DEFAULT_UP=new O(0,1,0);ri.DEFAULT_MATRIX_AUTO_UPDATE=!0;ri.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;mi=new O,$i=new O,th=new O,Zi=new O,Vr=new O,Hr=new O,qp=new O,eh=new O,nh=new O,ih=new O,sh=new Fe,rh=new Fe,oh=new Fe,$s=class i{constructor(t=new O,e=new O,n=new O){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),mi.subVectors(t,e),s.cross(mi);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){mi.subVectors(s,e),$i.subVectors(n,e),th.subVectors(t,e);let o=mi.dot(mi),a=mi.dot($i),l=mi.dot(th),c=$i.dot($i),h=$i.dot(th),f=o*c-a*a;if(f===0)return r.set(0,0,0),null;let u=1/f,p=(c*l-a*h)*u,g=(o*h-a*l)*u;return r.set(1-p-g,g,p)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,Zi)===null?!1:Zi.x>=0&&Zi.y>=0&&Zi.x+Zi.y<=1}static getInterpolation(t,e,n,s,r,o,a,l){return this.getBarycoord(t,e,n,s,Zi)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,Zi.x),l.addScaledVector(o,Zi.y),l.addScaledVector(a,Zi.z),l)}static getInterpolatedAttribute(t,e,n,s,r,o){return sh.setScalar(0),rh.setScalar(0),oh.setScalar(0),sh.fromBufferAttribute(t,e),rh.fromBufferAttribute(t,n),oh.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(sh,r.x),o.addScaledVector(rh,r.y),o.addScaledVector(oh,r.z),o}static isFrontFacing(t,e,n,s){return mi.subVectors(n,e),$i.subVectors(t,e),mi.cross($i).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return mi.subVectors(this.c,this.b),$i.subVectors(this.a,this.b),mi.cross($i).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return i.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return i.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return i.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return i.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return i.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let n=this.a,s=this.b,r=this.c,o,a;Vr.subVectors(s,n),Hr.subVectors(r,n),eh.subVectors(t,n);let l=Vr.dot(eh),c=Hr.dot(eh);if(l<=0&&c<=0)return e.copy(n);nh.subVectors(t,s);let h=Vr.dot(nh),f=Hr.dot(nh);if(h>=0&&f<=h)return e.copy(s);let u=l*f-h*c;if(u<=0&&l>=0&&h<=0)return o=l/(l-h),e.copy(n).addScaledVector(Vr,o);ih.subVectors(t,r);let p=Vr.dot(ih),g=Hr.dot(ih);if(g>=0&&p<=g)return e.copy(r);let x=p*c-l*g;if(x<=0&&c>=0&&g<=0)return a=c/(c-g),e.copy(n).addScaledVector(Hr,a);let m=h*g-p*f;if(m<=0&&f-h>=0&&p-g>=0)return qp.subVectors(r,s),a=(f-h)/(f-h+(p-g)),e.copy(s).addScaledVector(qp,a);let d=1/(m+x+u);return o=x*d,a=u*d,e.copy(n).addScaledVector(Vr,o).addScaledVector(Hr,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},$m={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},_s={h:0,s:0,l:0},Ua={h:0,s:0,l:0};xe=class{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=ni){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,ge.toWorkingColorSpace(this,e),this}setRGB(t,e,n,s=ge.workingColorSpace){return this.r=t,this.g=e,this.b=n,ge.toWorkingColorSpace(this,s),this}setHSL(t,e,n,s=ge.workingColorSpace){if(t=Ku(t,1),e=rn(e,0,1),n=rn(n,0,1),e===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=ah(o,r,t+1/3),this.g=ah(o,r,t),this.b=ah(o,r,t-1/3)}return ge.toWorkingColorSpace(this,s),this}setStyle(t,e=ni){function n(r){r!==void 0&&parseFloat(r)<1&&console.warn("THREE.Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+)\%\s*,\s*(\d+)\%\s*,\s*(\d+)\%\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseInt(r[1],10))/100,Math.min(100,parseInt(r[2],10))/100,Math.min(100,parseInt(r[3],10))/100,e);break;case"hsl":case"hsla":if(r=/^\s*(\d*\.?\d+)\s*,\s*(\d*\.?\d+)\%\s*,\s*(\d*\.?\d+)\%\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:console.warn("THREE.Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);console.warn("THREE.Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=ni){let n=$m[t.toLowerCase()];return n!==void 0?this.setHex(n,e):console.warn("THREE.Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=ts(t.r),this.g=ts(t.g),this.b=ts(t.b),this}copyLinearToSRGB(t){return this.r=jr(t.r),this.g=jr(t.g),this.b=jr(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=ni){return ge.fromWorkingColorSpace(Sn.copy(this),t),Math.round(rn(Sn.r*255,0,255))*65536+Math.round(rn(Sn.g*255,0,255))*256+Math.round(rn(Sn.b*255,0,255))}getHexString(t=ni){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=ge.workingColorSpace){ge.fromWorkingColorSpace(Sn.copy(this),e);let n=Sn.r,s=Sn.g,r=Sn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let f=o-a;switch(c=h<=.5?f/(o+a):f/(2-o-a),o){case n:l=(s-r)/f+(s<r?6:0);break;case s:l=(r-n)/f+2;break;case r:l=(n-s)/f+4;break}l/=6}return t.h=l,t.s=c,t.l=h,t}getRGB(t,e=ge.workingColorSpace){return ge.fromWorkingColorSpace(Sn.copy(this),e),t.r=Sn.r,t.g=Sn.g,t.b=Sn.b,t}getStyle(t=ni){ge.fromWorkingColorSpace(Sn.copy(this),t);let e=Sn.r,n=Sn.g,s=Sn.b;return t!==ni?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(_s),this.setHSL(_s.h+t,_s.s+e,_s.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(_s),t.getHSL(Ua);let n=Uo(_s.h,Ua.h,e),s=Uo(_s.s,Ua.s,e),r=Uo(_s.l,Ua.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Sn=new xe;xe.NAMES=$m;vv=0,Qs=class extends ws{static get type(){return"Material"}get type(){return this.constructor.type}set type(t){}constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:vv++}),this.uuid=Ii(),this.name="",this.blending=Jr,this.side=bs,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=Mh,this.blendDst=Sh,this.blendEquation=Ys,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new xe(0,0,0),this.blendAlpha=0,this.depthFunc=to,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=Rp,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Dr,this.stencilZFail=Dr,this.stencilZPass=Dr,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let n=t[e];if(n===void 0){console.warn(`THREE.Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){console.warn(`THREE.Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let n={metadata:{version:4.6,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,this.name!==""&&(n.name=this.name),this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&this.emissiveIntensity!==1&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessRange!==void 0&&(n.iridescenceThicknessRange=this.iridescenceThicknessRange),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&this.attenuationDistance!==1/0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.shadowSide!==null&&(n.shadowSide=this.shadowSide),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),this.blending!==Jr&&(n.blending=this.blending),this.side!==bs&&(n.side=this.side),this.vertexColors===!0&&(n.vertexColors=!0),this.opacity<1&&(n.opacity=this.opacity),this.transparent===!0&&(n.transparent=!0),this.blendSrc!==Mh&&(n.blendSrc=this.blendSrc),this.blendDst!==Sh&&(n.blendDst=this.blendDst),this.blendEquation!==Ys&&(n.blendEquation=this.blendEquation),this.blendSrcAlpha!==null&&(n.blendSrcAlpha=this.blendSrcAlpha),this.blendDstAlpha!==null&&(n.blendDstAlpha=this.blendDstAlpha),this.blendEquationAlpha!==null&&(n.blendEquationAlpha=this.blendEquationAlpha),this.blendColor&&this.blendColor.isColor&&(n.blendColor=this.blendColor.getHex()),this.blendAlpha!==0&&(n.blendAlpha=this.blendAlpha),this.depthFunc!==to&&(n.depthFunc=this.depthFunc),this.depthTest===!1&&(n.depthTest=this.depthTest),this.depthWrite===!1&&(n.depthWrite=this.depthWrite),this.colorWrite===!1&&(n.colorWrite=this.colorWrite),this.stencilWriteMask!==255&&(n.stencilWriteMask=this.stencilWriteMask),this.stencilFunc!==Rp&&(n.stencilFunc=this.stencilFunc),this.stencilRef!==0&&(n.stencilRef=this.stencilRef),this.stencilFuncMask!==255&&(n.stencilFuncMask=this.stencilFuncMask),this.stencilFail!==Dr&&(n.stencilFail=this.stencilFail),this.stencilZFail!==Dr&&(n.stencilZFail=this.stencilZFail),this.stencilZPass!==Dr&&(n.stencilZPass=this.stencilZPass),this.stencilWrite===!0&&(n.stencilWrite=this.stencilWrite),this.rotation!==void 0&&this.rotation!==0&&(n.rotation=this.rotation),this.polygonOffset===!0&&(n.polygonOffset=!0),this.polygonOffsetFactor!==0&&(n.polygonOffsetFactor=this.polygonOffsetFactor),this.polygonOffsetUnits!==0&&(n.polygonOffsetUnits=this.polygonOffsetUnits),this.linewidth!==void 0&&this.linewidth!==1&&(n.linewidth=this.linewidth),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.dithering===!0&&(n.dithering=!0),this.alphaTest>0&&(n.alphaTest=this.alphaTest),this.alphaHash===!0&&(n.alphaHash=!0),this.alphaToCoverage===!0&&(n.alphaToCoverage=!0),this.premultipliedAlpha===!0&&(n.premultipliedAlpha=!0),this.forceSinglePass===!0&&(n.forceSinglePass=!0),this.wireframe===!0&&(n.wireframe=!0),this.wireframeLinewidth>1&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!=="round"&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!=="round"&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading===!0&&(n.flatShading=!0),this.visible===!1&&(n.visible=!1),this.toneMapped===!1&&(n.toneMapped=!1),this.fog===!1&&(n.fog=!1),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,n=null;if(e!==null){let s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}onBuild(){console.warn("Material: onBuild() has been removed.")}},fl=class extends Qs{static get type(){return"MeshBasicMaterial"}constructor(t){super(),this.isMeshBasicMaterial=!0,this.color=new xe(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new is,this.combine=Dm,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},tn=new O,Na=new bt,Yn=class{constructor(t,e,n=!1){if(Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=au,this.updateRanges=[],this.gpuType=ji,this.version=0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)Na.fromBufferAttribute(this,e),Na.applyMatrix3(t),this.setXY(e,Na.x,Na.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)tn.fromBufferAttribute(this,e),tn.applyMatrix3(t),this.setXYZ(e,tn.x,tn.y,tn.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)tn.fromBufferAttribute(this,e),tn.applyMatrix4(t),this.setXYZ(e,tn.x,tn.y,tn.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)tn.fromBufferAttribute(this,e),tn.applyNormalMatrix(t),this.setXYZ(e,tn.x,tn.y,tn.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)tn.fromBufferAttribute(this,e),tn.transformDirection(t),this.setXYZ(e,tn.x,tn.y,tn.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=_i(n,this.array)),n}setComponent(t,e,n){return this.normalized&&(n=Te(n,this.array)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=_i(e,this.array)),e}setX(t,e){return this.normalized&&(e=Te(e,this.array)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=_i(e,this.array)),e}setY(t,e){return this.normalized&&(e=Te(e,this.array)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=_i(e,this.array)),e}setZ(t,e){return this.normalized&&(e=Te(e,this.array)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=_i(e,this.array)),e}setW(t,e){return this.normalized&&(e=Te(e,this.array)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=Te(e,this.array),n=Te(n,this.array)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=Te(e,this.array),n=Te(n,this.array),s=Te(s,this.array)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=Te(e,this.array),n=Te(n,this.array),s=Te(s,this.array),r=Te(r,this.array)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return this.name!==""&&(t.name=this.name),this.usage!==au&&(t.usage=this.usage),t}},dl=class extends Yn{constructor(t,e,n){super(new Uint16Array(t),e,n)}},pl=class extends Yn{constructor(t,e,n){super(new Uint32Array(t),e,n)}},oe=class extends Yn{constructor(t,e,n){super(new Float32Array(t),e,n)}},yv=0,ei=new Oe,lh=new ri,Gr=new O,qn=new si,Ro=new si,dn=new O,Ye=class i extends ws{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:yv++}),this.uuid=Ii(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={}}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(Ym(t)?pl:dl)(t,1):this.index=t,this}setIndirect(t){return this.indirect=t,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new le().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}applyQuaternion(t){return ei.makeRotationFromQuaternion(t),this.applyMatrix4(ei),this}rotateX(t){return ei.makeRotationX(t),this.applyMatrix4(ei),this}rotateY(t){return ei.makeRotationY(t),this.applyMatrix4(ei),this}rotateZ(t){return ei.makeRotationZ(t),this.applyMatrix4(ei),this}translate(t,e,n){return ei.makeTranslation(t,e,n),this.applyMatrix4(ei),this}scale(t,e,n){return ei.makeScale(t,e,n),this.applyMatrix4(ei),this}lookAt(t){return lh.lookAt(t),lh.updateMatrix(),this.applyMatrix4(lh.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Gr).negate(),this.translate(Gr.x,Gr.y,Gr.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let n=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new oe(n,3))}else{for(let n=0,s=e.count;n<s;n++){let r=t[n];e.setXYZ(n,r.x,r.y,r.z||0)}t.length>e.count&&console.warn("THREE.BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new si);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){console.error("THREE.BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new O(-1/0,-1/0,-1/0),new O(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){let r=e[n];qn.setFromBufferAttribute(r),this.morphTargetsRelative?(dn.addVectors(this.boundingBox.min,qn.min),this.boundingBox.expandByPoint(dn),dn.addVectors(this.boundingBox.max,qn.max),this.boundingBox.expandByPoint(dn)):(this.boundingBox.expandByPoint(qn.min),this.boundingBox.expandByPoint(qn.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&console.error('THREE.BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Li);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){console.error("THREE.BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new O,1/0);return}if(t){let n=this.boundingSphere.center;if(qn.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];Ro.setFromBufferAttribute(a),this.morphTargetsRelative?(dn.addVectors(qn.min,Ro.min),qn.expandByPoint(dn),dn.addVectors(qn.max,Ro.max),qn.expandByPoint(dn)):(qn.expandByPoint(Ro.min),qn.expandByPoint(Ro.max))}qn.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)dn.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(dn));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)dn.fromBufferAttribute(a,c),l&&(Gr.fromBufferAttribute(t,c),dn.add(Gr)),s=Math.max(s,n.distanceToSquared(dn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&console.error('THREE.BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){console.error("THREE.BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=e.position,s=e.normal,r=e.uv;this.hasAttribute("tangent")===!1&&this.setAttribute("tangent",new Yn(new Float32Array(4*n.count),4));let o=this.getAttribute("tangent"),a=[],l=[];for(let L=0;L<n.count;L++)a[L]=new O,l[L]=new O;let c=new O,h=new O,f=new O,u=new bt,p=new bt,g=new bt,x=new O,m=new O;function d(L,b,y){c.fromBufferAttribute(n,L),h.fromBufferAttribute(n,b),f.fromBufferAttribute(n,y),u.fromBufferAttribute(r,L),p.fromBufferAttribute(r,b),g.fromBufferAttribute(r,y),h.sub(c),f.sub(c),p.sub(u),g.sub(u);let C=1/(p.x*g.y-g.x*p.y);isFinite(C)&&(x.copy(h).multiplyScalar(g.y).addScaledVector(f,-p.y).multiplyScalar(C),m.copy(f).multiplyScalar(p.x).addScaledVector(h,-g.x).multiplyScalar(C),a[L].add(x),a[b].add(x),a[y].add(x),l[L].add(m),l[b].add(m),l[y].add(m))}let E=this.groups;E.length===0&&(E=[{start:0,count:t.count}]);for(let L=0,b=E.length;L<b;++L){let y=E[L],C=y.start,F=y.count;for(let B=C,W=C+F;B<W;B+=3)d(t.getX(B+0),t.getX(B+1),t.getX(B+2))}let M=new O,v=new O,P=new O,T=new O;function I(L){P.fromBufferAttribute(s,L),T.copy(P);let b=a[L];M.copy(b),M.sub(P.multiplyScalar(P.dot(b))).normalize(),v.crossVectors(T,b);let C=v.dot(l[L])<0?-1:1;o.setXYZW(L,M.x,M.y,M.z,C)}for(let L=0,b=E.length;L<b;++L){let y=E[L],C=y.start,F=y.count;for(let B=C,W=C+F;B<W;B+=3)I(t.getX(B+0)),I(t.getX(B+1)),I(t.getX(B+2))}}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0)n=new Yn(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let u=0,p=n.count;u<p;u++)n.setXYZ(u,0,0,0);let s=new O,r=new O,o=new O,a=new O,l=new O,c=new O,h=new O,f=new O;if(t)for(let u=0,p=t.count;u<p;u+=3){let g=t.getX(u+0),x=t.getX(u+1),m=t.getX(u+2);s.fromBufferAttribute(e,g),r.fromBufferAttribute(e,x),o.fromBufferAttribute(e,m),h.subVectors(o,r),f.subVectors(s,r),h.cross(f),a.fromBufferAttribute(n,g),l.fromBufferAttribute(n,x),c.fromBufferAttribute(n,m),a.add(h),l.add(h),c.add(h),n.setXYZ(g,a.x,a.y,a.z),n.setXYZ(x,l.x,l.y,l.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let u=0,p=e.count;u<p;u+=3)s.fromBufferAttribute(e,u+0),r.fromBufferAttribute(e,u+1),o.fromBufferAttribute(e,u+2),h.subVectors(o,r),f.subVectors(s,r),h.cross(f),n.setXYZ(u+0,h.x,h.y,h.z),n.setXYZ(u+1,h.x,h.y,h.z),n.setXYZ(u+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)dn.fromBufferAttribute(t,e),dn.normalize(),t.setXYZ(e,dn.x,dn.y,dn.z)}toNonIndexed(){function t(a,l){let c=a.array,h=a.itemSize,f=a.normalized,u=new c.constructor(l.length*h),p=0,g=0;for(let x=0,m=l.length;x<m;x++){a.isInterleavedBufferAttribute?p=l[x]*a.data.stride+a.offset:p=l[x]*h;for(let d=0;d<h;d++)u[g++]=c[p++]}return new Yn(u,h,f)}if(this.index===null)return console.warn("THREE.BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=t(l,n);e.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,f=c.length;h<f;h++){let u=c[h],p=t(u,n);l.push(p)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){let t={metadata:{version:4.6,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.type,this.name!==""&&(t.name=this.name),Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let n=this.attributes;for(let l in n){let c=n[l];t.data.attributes[l]=c.toJSON(t.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let f=0,u=c.length;f<u;f++){let p=c[f];h.push(p.toJSON(t.data))}h.length>0&&(s[l]=h,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere={center:a.center.toArray(),radius:a.radius}),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let n=t.index;n!==null&&this.setIndex(n.clone(e));let s=t.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(e))}let r=t.morphAttributes;for(let c in r){let h=[],f=r[c];for(let u=0,p=f.length;u<p;u++)h.push(f[u].clone(e));this.morphAttributes[c]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let c=0,h=o.length;c<h;c++){let f=o[c];this.addGroup(f.start,f.count,f.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this}dispose(){this.dispatchEvent({type:"dispose"})}},Yp=new Oe,Hs=new hl,Fa=new Li,$p=new O,Oa=new O,Ba=new O,za=new O,ch=new O,ka=new O,Zp=new O,Va=new O,bn=class extends ri{constructor(t=new Ye,e=new fl){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0&&(this.morphTargetInfluences=t.morphTargetInfluences.slice()),t.morphTargetDictionary!==void 0&&(this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary)),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){ka.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],f=r[l];h!==0&&(ch.fromBufferAttribute(f,t),o?ka.addScaledVector(ch,h):ka.addScaledVector(ch.sub(e),h))}e.add(ka)}return e}raycast(t,e){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),Fa.copy(n.boundingSphere),Fa.applyMatrix4(r),Hs.copy(t.ray).recast(t.near),!(Fa.containsPoint(Hs.origin)===!1&&(Hs.intersectSphere(Fa,$p)===null||Hs.origin.distanceToSquared($p)>(t.far-t.near)**2))&&(Yp.copy(r).invert(),Hs.copy(t.ray).applyMatrix4(Yp),!(n.boundingBox!==null&&Hs.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,Hs)))}_computeIntersections(t,e,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,f=r.attributes.normal,u=r.groups,p=r.drawRange;if(a!==null)if(Array.isArray(o))for(let g=0,x=u.length;g<x;g++){let m=u[g],d=o[m.materialIndex],E=Math.max(m.start,p.start),M=Math.min(a.count,Math.min(m.start+m.count,p.start+p.count));for(let v=E,P=M;v<P;v+=3){let T=a.getX(v),I=a.getX(v+1),L=a.getX(v+2);s=Ha(this,d,t,n,c,h,f,T,I,L),s&&(s.faceIndex=Math.floor(v/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let g=Math.max(0,p.start),x=Math.min(a.count,p.start+p.count);for(let m=g,d=x;m<d;m+=3){let E=a.getX(m),M=a.getX(m+1),v=a.getX(m+2);s=Ha(this,o,t,n,c,h,f,E,M,v),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let g=0,x=u.length;g<x;g++){let m=u[g],d=o[m.materialIndex],E=Math.max(m.start,p.start),M=Math.min(l.count,Math.min(m.start+m.count,p.start+p.count));for(let v=E,P=M;v<P;v+=3){let T=v,I=v+1,L=v+2;s=Ha(this,d,t,n,c,h,f,T,I,L),s&&(s.faceIndex=Math.floor(v/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let g=Math.max(0,p.start),x=Math.min(l.count,p.start+p.count);for(let m=g,d=x;m<d;m+=3){let E=m,M=m+1,v=m+2;s=Ha(this,o,t,n,c,h,f,E,M,v),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}};ko=class i extends Ye{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],f=[],u=0,p=0;g("z","y","x",-1,-1,n,e,t,o,r,0),g("z","y","x",1,-1,n,e,-t,o,r,1),g("x","z","y",1,1,t,n,e,s,o,2),g("x","z","y",1,-1,t,n,-e,s,o,3),g("x","y","z",1,-1,t,e,n,s,r,4),g("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new oe(c,3)),this.setAttribute("normal",new oe(h,3)),this.setAttribute("uv",new oe(f,2));function g(x,m,d,E,M,v,P,T,I,L,b){let y=v/I,C=P/L,F=v/2,B=P/2,W=T/2,k=I+1,q=L+1,j=0,$=0,ot=new O;for(let lt=0;lt<q;lt++){let ft=lt*C-B;for(let _t=0;_t<k;_t++){let $t=_t*y-F;ot[x]=$t*E,ot[m]=ft*M,ot[d]=W,c.push(ot.x,ot.y,ot.z),ot[x]=0,ot[m]=0,ot[d]=T>0?1:-1,h.push(ot.x,ot.y,ot.z),f.push(_t/I),f.push(1-lt/L),j+=1}}for(let lt=0;lt<L;lt++)for(let ft=0;ft<I;ft++){let _t=u+ft+k*lt,$t=u+ft+k*(lt+1),Z=u+(ft+1)+k*(lt+1),ut=u+(ft+1)+k*lt;l.push(_t,$t,ut),l.push($t,Z,ut),$+=6}a.addGroup(p,$,b),p+=$,u+=j}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}};Wl={clone:ro,merge:Pn},bv=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,wv=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,On=class extends Qs{static get type(){return"ShaderMaterial"}constructor(t){super(),this.isShaderMaterial=!0,this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=bv,this.fragmentShader=wv,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=ro(t.uniforms),this.uniformsGroups=Sv(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}},ml=class extends ri{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Oe,this.projectionMatrix=new Oe,this.projectionMatrixInverse=new Oe,this.coordinateSystem=Qi}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorldInverse.copy(this.matrixWorld).invert()}updateWorldMatrix(t,e){super.updateWorldMatrix(t,e),this.matrixWorldInverse.copy(this.matrixWorld).invert()}clone(){return new this.constructor().copy(this)}},xs=new O,Jp=new bt,Kp=new bt,In=class extends ml{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=zo*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(Do*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return zo*2*Math.atan(Math.tan(Do*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){xs.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(xs.x,xs.y).multiplyScalar(-t/xs.z),xs.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(xs.x,xs.y).multiplyScalar(-t/xs.z)}getViewSize(t,e){return this.getViewBounds(t,Jp,Kp),e.subVectors(Kp,Jp)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(Do*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,e-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}},Wr=-90,Xr=1,uu=class extends ri{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new In(Wr,Xr,t,e);s.layers=this.layers,this.add(s);let r=new In(Wr,Xr,t,e);r.layers=this.layers,this.add(r);let o=new In(Wr,Xr,t,e);o.layers=this.layers,this.add(o);let a=new In(Wr,Xr,t,e);a.layers=this.layers,this.add(a);let l=new In(Wr,Xr,t,e);l.layers=this.layers,this.add(l);let c=new In(Wr,Xr,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,l]=e;for(let c of e)this.remove(c);if(t===Qi)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===ol)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,f=t.getRenderTarget(),u=t.getActiveCubeFace(),p=t.getActiveMipmapLevel(),g=t.xr.enabled;t.xr.enabled=!1;let x=n.texture.generateMipmaps;n.texture.generateMipmaps=!1,t.setRenderTarget(n,0,s),t.render(e,r),t.setRenderTarget(n,1,s),t.render(e,o),t.setRenderTarget(n,2,s),t.render(e,a),t.setRenderTarget(n,3,s),t.render(e,l),t.setRenderTarget(n,4,s),t.render(e,c),n.texture.generateMipmaps=x,t.setRenderTarget(n,5,s),t.render(e,h),t.setRenderTarget(f,u,p),t.xr.enabled=g,n.texture.needsPMREMUpdate=!0}},gl=class extends ii{constructor(t,e,n,s,r,o,a,l,c,h){t=t!==void 0?t:[],e=e!==void 0?e:eo,super(t,e,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}},fu=class extends ns{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new gl(s,e.mapping,e.wrapS,e.wrapT,e.magFilter,e.minFilter,e.format,e.type,e.anisotropy,e.colorSpace),this.texture.isRenderTargetTexture=!0,this.texture.generateMipmaps=e.generateMipmaps!==void 0?e.generateMipmaps:!1,this.texture.minFilter=e.minFilter!==void 0?e.minFilter:Pi}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new ko(5,5,5),r=new On({name:"CubemapFromEquirect",uniforms:ro(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:Fn,blending:ys});r.uniforms.tEquirect.value=e;let o=new bn(s,r),a=e.minFilter;return e.minFilter===Ks&&(e.minFilter=Pi),new uu(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e,n,s){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}},hh=new O,Ev=new O,Av=new le,Ki=class{constructor(t=new O(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){let s=hh.subVectors(n,e).cross(Ev.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e){let n=t.delta(hh),s=this.normal.dot(n);if(s===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let r=-(t.start.dot(this.normal)+this.constant)/s;return r<0||r>1?null:e.copy(t.start).addScaledVector(n,r)}intersectsLine(t){let e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let n=e||Av.getNormalMatrix(t),s=this.coplanarPoint(hh).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}},Gs=new Li,Ga=new O,_l=class{constructor(t=new Ki,e=new Ki,n=new Ki,s=new Ki,r=new Ki,o=new Ki){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=Qi){let n=this.planes,s=t.elements,r=s[0],o=s[1],a=s[2],l=s[3],c=s[4],h=s[5],f=s[6],u=s[7],p=s[8],g=s[9],x=s[10],m=s[11],d=s[12],E=s[13],M=s[14],v=s[15];if(n[0].setComponents(l-r,u-c,m-p,v-d).normalize(),n[1].setComponents(l+r,u+c,m+p,v+d).normalize(),n[2].setComponents(l+o,u+h,m+g,v+E).normalize(),n[3].setComponents(l-o,u-h,m-g,v-E).normalize(),n[4].setComponents(l-a,u-f,m-x,v-M).normalize(),e===Qi)n[5].setComponents(l+a,u+f,m+x,v+M).normalize();else if(e===ol)n[5].setComponents(a,f,x,M).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),Gs.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),Gs.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(Gs)}intersectsSprite(t){return Gs.center.set(0,0,0),Gs.radius=.7071067811865476,Gs.applyMatrix4(t.matrixWorld),this.intersectsSphere(Gs)}intersectsSphere(t){let e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let n=0;n<6;n++){let s=e[n];if(Ga.x=s.normal.x>0?t.max.x:t.min.x,Ga.y=s.normal.y>0?t.max.y:t.min.y,Ga.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(Ga)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}};xl=class i extends Ye{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,f=t/a,u=e/l,p=[],g=[],x=[],m=[];for(let d=0;d<h;d++){let E=d*u-o;for(let M=0;M<c;M++){let v=M*f-r;g.push(v,-E,0),x.push(0,0,1),m.push(M/a),m.push(1-d/l)}}for(let d=0;d<l;d++)for(let E=0;E<a;E++){let M=E+c*d,v=E+c*(d+1),P=E+1+c*(d+1),T=E+1+c*d;p.push(M,v,T),p.push(v,P,T)}this.setIndex(p),this.setAttribute("position",new oe(g,3)),this.setAttribute("normal",new oe(x,3)),this.setAttribute("uv",new oe(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.widthSegments,t.heightSegments)}},Cv=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,Rv=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,Pv=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,Iv=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Lv=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,Dv=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,Uv=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,Nv=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,Fv=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec3 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 ).rgb;
	}
#endif`,Ov=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,Bv=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,zv=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,kv=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,Vv=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,Hv=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,Gv=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,Wv=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,Xv=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,qv=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,Yv=`#if defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#elif defined( USE_COLOR )
	diffuseColor.rgb *= vColor;
#endif`,$v=`#if defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#elif defined( USE_COLOR )
	varying vec3 vColor;
#endif`,Zv=`#if defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#elif defined( USE_COLOR ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec3 vColor;
#endif`,Jv=`#if defined( USE_COLOR_ALPHA )
	vColor = vec4( 1.0 );
#elif defined( USE_COLOR ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec3( 1.0 );
#endif
#ifdef USE_COLOR
	vColor *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.xyz *= instanceColor.xyz;
#endif
#ifdef USE_BATCHING_COLOR
	vec3 batchingColor = getBatchingColor( getIndirectIndex( gl_DrawID ) );
	vColor.xyz *= batchingColor.xyz;
#endif`,Kv=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
vec3 inverseTransformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( vec4( dir, 0.0 ) * matrix ).xyz );
}
mat3 transposeMat3( const in mat3 m ) {
	mat3 tmp;
	tmp[ 0 ] = vec3( m[ 0 ].x, m[ 1 ].x, m[ 2 ].x );
	tmp[ 1 ] = vec3( m[ 0 ].y, m[ 1 ].y, m[ 2 ].y );
	tmp[ 2 ] = vec3( m[ 0 ].z, m[ 1 ].z, m[ 2 ].z );
	return tmp;
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,jv=`#ifdef ENVMAP_TYPE_CUBE_UV
	#define cubeUV_minMipLevel 4.0
	#define cubeUV_minTileSize 16.0
	float getFace( vec3 direction ) {
		vec3 absDirection = abs( direction );
		float face = - 1.0;
		if ( absDirection.x > absDirection.z ) {
			if ( absDirection.x > absDirection.y )
				face = direction.x > 0.0 ? 0.0 : 3.0;
			else
				face = direction.y > 0.0 ? 1.0 : 4.0;
		} else {
			if ( absDirection.z > absDirection.y )
				face = direction.z > 0.0 ? 2.0 : 5.0;
			else
				face = direction.y > 0.0 ? 1.0 : 4.0;
		}
		return face;
	}
	vec2 getUV( vec3 direction, float face ) {
		vec2 uv;
		if ( face == 0.0 ) {
			uv = vec2( direction.z, direction.y ) / abs( direction.x );
		} else if ( face == 1.0 ) {
			uv = vec2( - direction.x, - direction.z ) / abs( direction.y );
		} else if ( face == 2.0 ) {
			uv = vec2( - direction.x, direction.y ) / abs( direction.z );
		} else if ( face == 3.0 ) {
			uv = vec2( - direction.z, direction.y ) / abs( direction.x );
		} else if ( face == 4.0 ) {
			uv = vec2( - direction.x, direction.z ) / abs( direction.y );
		} else {
			uv = vec2( direction.x, direction.y ) / abs( direction.z );
		}
		return 0.5 * ( uv + 1.0 );
	}
	vec3 bilinearCubeUV( sampler2D envMap, vec3 direction, float mipInt ) {
		float face = getFace( direction );
		float filterInt = max( cubeUV_minMipLevel - mipInt, 0.0 );
		mipInt = max( mipInt, cubeUV_minMipLevel );
		float faceSize = exp2( mipInt );
		highp vec2 uv = getUV( direction, face ) * ( faceSize - 2.0 ) + 1.0;
		if ( face > 2.0 ) {
			uv.y += faceSize;
			face -= 3.0;
		}
		uv.x += face * faceSize;
		uv.x += filterInt * 3.0 * cubeUV_minTileSize;
		uv.y += 4.0 * ( exp2( CUBEUV_MAX_MIP ) - faceSize );
		uv.x *= CUBEUV_TEXEL_WIDTH;
		uv.y *= CUBEUV_TEXEL_HEIGHT;
		#ifdef texture2DGradEXT
			return texture2DGradEXT( envMap, uv, vec2( 0.0 ), vec2( 0.0 ) ).rgb;
		#else
			return texture2D( envMap, uv ).rgb;
		#endif
	}
	#define cubeUV_r0 1.0
	#define cubeUV_m0 - 2.0
	#define cubeUV_r1 0.8
	#define cubeUV_m1 - 1.0
	#define cubeUV_r4 0.4
	#define cubeUV_m4 2.0
	#define cubeUV_r5 0.305
	#define cubeUV_m5 3.0
	#define cubeUV_r6 0.21
	#define cubeUV_m6 4.0
	float roughnessToMip( float roughness ) {
		float mip = 0.0;
		if ( roughness >= cubeUV_r1 ) {
			mip = ( cubeUV_r0 - roughness ) * ( cubeUV_m1 - cubeUV_m0 ) / ( cubeUV_r0 - cubeUV_r1 ) + cubeUV_m0;
		} else if ( roughness >= cubeUV_r4 ) {
			mip = ( cubeUV_r1 - roughness ) * ( cubeUV_m4 - cubeUV_m1 ) / ( cubeUV_r1 - cubeUV_r4 ) + cubeUV_m1;
		} else if ( roughness >= cubeUV_r5 ) {
			mip = ( cubeUV_r4 - roughness ) * ( cubeUV_m5 - cubeUV_m4 ) / ( cubeUV_r4 - cubeUV_r5 ) + cubeUV_m4;
		} else if ( roughness >= cubeUV_r6 ) {
			mip = ( cubeUV_r5 - roughness ) * ( cubeUV_m6 - cubeUV_m5 ) / ( cubeUV_r5 - cubeUV_r6 ) + cubeUV_m5;
		} else {
			mip = - 2.0 * log2( 1.16 * roughness );		}
		return mip;
	}
	vec4 textureCubeUV( sampler2D envMap, vec3 sampleDir, float roughness ) {
		float mip = clamp( roughnessToMip( roughness ), cubeUV_m0, CUBEUV_MAX_MIP );
		float mipF = fract( mip );
		float mipInt = floor( mip );
		vec3 color0 = bilinearCubeUV( envMap, sampleDir, mipInt );
		if ( mipF == 0.0 ) {
			return vec4( color0, 1.0 );
		} else {
			vec3 color1 = bilinearCubeUV( envMap, sampleDir, mipInt + 1.0 );
			return vec4( mix( color0, color1, mipF ), 1.0 );
		}
	}
#endif`,Qv=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
	#ifdef FLIP_SIDED
		transformedTangent = - transformedTangent;
	#endif
#endif`,ty=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,ey=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,ny=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,iy=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,sy="gl_FragColor = linearToOutputTexel( gl_FragColor );",ry=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,oy=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * vec3( flipEnvMap * reflectVec.x, reflectVec.yz ) );
	#else
		vec4 envColor = vec4( 0.0 );
	#endif
	#ifdef ENVMAP_BLENDING_MULTIPLY
		outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
	#elif defined( ENVMAP_BLENDING_MIX )
		outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
	#elif defined( ENVMAP_BLENDING_ADD )
		outgoingLight += envColor.xyz * specularStrength * reflectivity;
	#endif
#endif`,ay=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform float flipEnvMap;
	uniform mat3 envMapRotation;
	#ifdef ENVMAP_TYPE_CUBE
		uniform samplerCube envMap;
	#else
		uniform sampler2D envMap;
	#endif
	
#endif`,ly=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,cy=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,hy=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = inverseTransformDirection( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,uy=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,fy=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,dy=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,py=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,my=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,gy=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,_y=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,xy=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,vy=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif`,yy=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_CUBE_UV
			vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
			vec4 envMapColor = textureCubeUV( envMap, envMapRotation * worldNormal, 1.0 );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_CUBE_UV
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, roughness * roughness) );
			reflectVec = inverseTransformDirection( reflectVec, viewMatrix );
			vec4 envMapColor = textureCubeUV( envMap, envMapRotation * reflectVec, roughness );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_CUBE_UV
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
#endif`,My=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,Sy=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,by=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,wy=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,Ey=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb * ( 1.0 - metalnessFactor );
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.0525 );material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = mix( min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = mix( vec3( 0.04 ), diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.0525 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.07, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,Ay=`struct PhysicalMaterial {
	vec3 diffuseColor;
	float roughness;
	vec3 specularColor;
	float specularF90;
	float dispersion;
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		float v = 0.5 / ( gv + gl );
		return saturate(v);
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = material.clearcoatRoughness;
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColor;
	float f90 = material.specularF90;
	float roughness = material.roughness;
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float V = V_GGX_SmithCorrelated_Anisotropic( material.alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( material.alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transposeMat3( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float a = roughness < 0.25 ? -339.2 * r2 + 161.4 * roughness - 25.9 : -8.48 * r2 + 14.3 * roughness - 9.95;
	float b = roughness < 0.25 ? 44.0 * r2 - 23.7 * roughness + 3.26 : 1.97 * r2 - 3.27 * roughness + 0.72;
	float DG = exp( a * dotNV + b ) + ( roughness < 0.25 ? 0.0 : 0.1 * ( roughness - 0.25 ) );
	return saturate( DG * RECIPROCAL_PI );
}
vec2 DFGApprox( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	const vec4 c0 = vec4( - 1, - 0.0275, - 0.572, 0.022 );
	const vec4 c1 = vec4( 1, 0.0425, 1.04, - 0.04 );
	vec4 r = roughness * c0 + c1;
	float a004 = min( r.x * r.x, exp2( - 9.28 * dotNV ) ) * r.x + r.y;
	vec2 fab = vec2( - 1.04, 1.04 ) * a004 + r.zw;
	return fab;
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	vec2 fab = DFGApprox( normal, viewDir, roughness );
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, const in float roughness, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	vec2 fab = DFGApprox( normal, viewDir, roughness );
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColor * t2.x + ( vec3( 1.0 ) - material.specularColor ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseColor * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
	#endif
	reflectedLight.directSpecular += irradiance * BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
	#endif
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( geometryNormal, geometryViewDir, material.specularColor, material.specularF90, material.iridescence, material.iridescenceFresnel, material.roughness, singleScattering, multiScattering );
	#else
		computeMultiscattering( geometryNormal, geometryViewDir, material.specularColor, material.specularF90, material.roughness, singleScattering, multiScattering );
	#endif
	vec3 totalScattering = singleScattering + multiScattering;
	vec3 diffuse = material.diffuseColor * ( 1.0 - max( max( totalScattering.r, totalScattering.g ), totalScattering.b ) );
	reflectedLight.indirectSpecular += radiance * singleScattering;
	reflectedLight.indirectSpecular += multiScattering * cosineWeightedIrradiance;
	reflectedLight.indirectDiffuse += diffuse * cosineWeightedIrradiance;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,Ty=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		material.iridescenceFresnel = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		material.iridescenceF0 = Schlick_to_F0( material.iridescenceFresnel, 1.0, dotNVi );
	}
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,Cy=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD ) && defined( ENVMAP_TYPE_CUBE_UV )
		iblIrradiance += getIBLIrradiance( geometryNormal );
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		radiance += getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		radiance += getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,Ry=`#if defined( RE_IndirectDiffuse )
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,Py=`#if defined( USE_LOGDEPTHBUF )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,Iy=`#if defined( USE_LOGDEPTHBUF )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Ly=`#ifdef USE_LOGDEPTHBUF
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Dy=`#ifdef USE_LOGDEPTHBUF
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,Uy=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,Ny=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,Fy=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,Oy=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,By=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,zy=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,ky=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,Vy=`#if defined( USE_MORPHCOLORS )
	vColor *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,Hy=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Gy=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,Wy=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Xy=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#if defined( DOUBLE_SIDED ) && ! defined( FLAT_SHADED )
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#if defined( DOUBLE_SIDED ) && ! defined( FLAT_SHADED )
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,qy=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,Yy=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,$y=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Zy=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
	#endif
#endif`,Jy=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,Ky=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,jy=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,Qy=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,tM=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,eM=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,nM=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	return depth * ( near - far ) - near;
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	return ( near * far ) / ( ( far - near ) * depth - far );
}`,iM=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,sM=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,rM=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,oM=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,aM=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,lM=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,cM=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform sampler2D pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	float texture2DCompare( sampler2D depths, vec2 uv, float compare ) {
		return step( compare, unpackRGBAToDepth( texture2D( depths, uv ) ) );
	}
	vec2 texture2DDistribution( sampler2D shadow, vec2 uv ) {
		return unpackRGBATo2Half( texture2D( shadow, uv ) );
	}
	float VSMShadow (sampler2D shadow, vec2 uv, float compare ){
		float occlusion = 1.0;
		vec2 distribution = texture2DDistribution( shadow, uv );
		float hard_shadow = step( compare , distribution.x );
		if (hard_shadow != 1.0 ) {
			float distance = compare - distribution.x ;
			float variance = max( 0.00000, distribution.y * distribution.y );
			float softness_probability = variance / (variance + distance * distance );			softness_probability = clamp( ( softness_probability - 0.3 ) / ( 0.95 - 0.3 ), 0.0, 1.0 );			occlusion = clamp( max( hard_shadow, softness_probability ), 0.0, 1.0 );
		}
		return occlusion;
	}
	float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
		float shadow = 1.0;
		shadowCoord.xyz /= shadowCoord.w;
		shadowCoord.z += shadowBias;
		bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
		bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
		if ( frustumTest ) {
		#if defined( SHADOWMAP_TYPE_PCF )
			vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
			float dx0 = - texelSize.x * shadowRadius;
			float dy0 = - texelSize.y * shadowRadius;
			float dx1 = + texelSize.x * shadowRadius;
			float dy1 = + texelSize.y * shadowRadius;
			float dx2 = dx0 / 2.0;
			float dy2 = dy0 / 2.0;
			float dx3 = dx1 / 2.0;
			float dy3 = dy1 / 2.0;
			shadow = (
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy, shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, dy1 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy1 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, dy1 ), shadowCoord.z )
			) * ( 1.0 / 17.0 );
		#elif defined( SHADOWMAP_TYPE_PCF_SOFT )
			vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
			float dx = texelSize.x;
			float dy = texelSize.y;
			vec2 uv = shadowCoord.xy;
			vec2 f = fract( uv * shadowMapSize + 0.5 );
			uv -= f * texelSize;
			shadow = (
				texture2DCompare( shadowMap, uv, shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + vec2( dx, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + vec2( 0.0, dy ), shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + texelSize, shadowCoord.z ) +
				mix( texture2DCompare( shadowMap, uv + vec2( -dx, 0.0 ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, 0.0 ), shadowCoord.z ),
					 f.x ) +
				mix( texture2DCompare( shadowMap, uv + vec2( -dx, dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, dy ), shadowCoord.z ),
					 f.x ) +
				mix( texture2DCompare( shadowMap, uv + vec2( 0.0, -dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 0.0, 2.0 * dy ), shadowCoord.z ),
					 f.y ) +
				mix( texture2DCompare( shadowMap, uv + vec2( dx, -dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( dx, 2.0 * dy ), shadowCoord.z ),
					 f.y ) +
				mix( mix( texture2DCompare( shadowMap, uv + vec2( -dx, -dy ), shadowCoord.z ),
						  texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, -dy ), shadowCoord.z ),
						  f.x ),
					 mix( texture2DCompare( shadowMap, uv + vec2( -dx, 2.0 * dy ), shadowCoord.z ),
						  texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, 2.0 * dy ), shadowCoord.z ),
						  f.x ),
					 f.y )
			) * ( 1.0 / 9.0 );
		#elif defined( SHADOWMAP_TYPE_VSM )
			shadow = VSMShadow( shadowMap, shadowCoord.xy, shadowCoord.z );
		#else
			shadow = texture2DCompare( shadowMap, shadowCoord.xy, shadowCoord.z );
		#endif
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	vec2 cubeToUV( vec3 v, float texelSizeY ) {
		vec3 absV = abs( v );
		float scaleToCube = 1.0 / max( absV.x, max( absV.y, absV.z ) );
		absV *= scaleToCube;
		v *= scaleToCube * ( 1.0 - 2.0 * texelSizeY );
		vec2 planar = v.xy;
		float almostATexel = 1.5 * texelSizeY;
		float almostOne = 1.0 - almostATexel;
		if ( absV.z >= almostOne ) {
			if ( v.z > 0.0 )
				planar.x = 4.0 - v.x;
		} else if ( absV.x >= almostOne ) {
			float signX = sign( v.x );
			planar.x = v.z * signX + 2.0 * signX;
		} else if ( absV.y >= almostOne ) {
			float signY = sign( v.y );
			planar.x = v.x + 2.0 * signY + 2.0;
			planar.y = v.z * signY - 2.0;
		}
		return vec2( 0.125, 0.25 ) * planar + vec2( 0.375, 0.75 );
	}
	float getPointShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		
		float lightToPositionLength = length( lightToPosition );
		if ( lightToPositionLength - shadowCameraFar <= 0.0 && lightToPositionLength - shadowCameraNear >= 0.0 ) {
			float dp = ( lightToPositionLength - shadowCameraNear ) / ( shadowCameraFar - shadowCameraNear );			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			vec2 texelSize = vec2( 1.0 ) / ( shadowMapSize * vec2( 4.0, 2.0 ) );
			#if defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_PCF_SOFT ) || defined( SHADOWMAP_TYPE_VSM )
				vec2 offset = vec2( - 1, 1 ) * shadowRadius * texelSize.y;
				shadow = (
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xyy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yyy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xyx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yyx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xxy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yxy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xxx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yxx, texelSize.y ), dp )
				) * ( 1.0 / 9.0 );
			#else
				shadow = texture2DCompare( shadowMap, cubeToUV( bd3D, texelSize.y ), dp );
			#endif
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
#endif`,hM=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,uM=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	vec3 shadowWorldNormal = inverseTransformDirection( transformedNormal, viewMatrix );
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,fM=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,dM=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,pM=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,mM=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,gM=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,_M=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,xM=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,vM=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,yM=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,MM=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = inverseTransformDirection( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseColor, material.specularColor, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,SM=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
		
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
		
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		
		#else
		
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,bM=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,wM=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,EM=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,AM=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,TM=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,CM=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,RM=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,PM=`#ifdef ENVMAP_TYPE_CUBE
	uniform samplerCube envMap;
#elif defined( ENVMAP_TYPE_CUBE_UV )
	uniform sampler2D envMap;
#endif
uniform float flipEnvMap;
uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <cube_uv_reflection_fragment>
void main() {
	#ifdef ENVMAP_TYPE_CUBE
		vec4 texColor = textureCube( envMap, backgroundRotation * vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) );
	#elif defined( ENVMAP_TYPE_CUBE_UV )
		vec4 texColor = textureCubeUV( envMap, backgroundRotation * vWorldDirection, backgroundBlurriness );
	#else
		vec4 texColor = vec4( 0.0, 0.0, 0.0, 1.0 );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,IM=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,LM=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,DM=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,UM=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	float fragCoordZ = 0.5 * vHighPrecisionZW[0] / vHighPrecisionZW[1] + 0.5;
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,NM=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,FM=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main () {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = packDepthToRGBA( dist );
}`,OM=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,BM=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,zM=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,kM=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,VM=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,HM=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,GM=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,WM=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,XM=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,qM=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,YM=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,$M=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <packing>
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( packNormalToRGB( normal ), diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,ZM=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,JM=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,KM=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,jM=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <cube_uv_reflection_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
		float sheenEnergyComp = 1.0 - 0.157 * max3( material.sheenColor );
		outgoingLight = outgoingLight * sheenEnergyComp + sheenSpecularDirect + sheenSpecularIndirect;
	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,QM=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,tS=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,eS=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,nS=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,iS=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,sS=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <packing>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,rS=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,oS=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,ce={alphahash_fragment:Cv,alphahash_pars_fragment:Rv,alphamap_fragment:Pv,alphamap_pars_fragment:Iv,alphatest_fragment:Lv,alphatest_pars_fragment:Dv,aomap_fragment:Uv,aomap_pars_fragment:Nv,batching_pars_vertex:Fv,batching_vertex:Ov,begin_vertex:Bv,beginnormal_vertex:zv,bsdfs:kv,iridescence_fragment:Vv,bumpmap_pars_fragment:Hv,clipping_planes_fragment:Gv,clipping_planes_pars_fragment:Wv,clipping_planes_pars_vertex:Xv,clipping_planes_vertex:qv,color_fragment:Yv,color_pars_fragment:$v,color_pars_vertex:Zv,color_vertex:Jv,common:Kv,cube_uv_reflection_fragment:jv,defaultnormal_vertex:Qv,displacementmap_pars_vertex:ty,displacementmap_vertex:ey,emissivemap_fragment:ny,emissivemap_pars_fragment:iy,colorspace_fragment:sy,colorspace_pars_fragment:ry,envmap_fragment:oy,envmap_common_pars_fragment:ay,envmap_pars_fragment:ly,envmap_pars_vertex:cy,envmap_physical_pars_fragment:yy,envmap_vertex:hy,fog_vertex:uy,fog_pars_vertex:fy,fog_fragment:dy,fog_pars_fragment:py,gradientmap_pars_fragment:my,lightmap_pars_fragment:gy,lights_lambert_fragment:_y,lights_lambert_pars_fragment:xy,lights_pars_begin:vy,lights_toon_fragment:My,lights_toon_pars_fragment:Sy,lights_phong_fragment:by,lights_phong_pars_fragment:wy,lights_physical_fragment:Ey,lights_physical_pars_fragment:Ay,lights_fragment_begin:Ty,lights_fragment_maps:Cy,lights_fragment_end:Ry,logdepthbuf_fragment:Py,logdepthbuf_pars_fragment:Iy,logdepthbuf_pars_vertex:Ly,logdepthbuf_vertex:Dy,map_fragment:Uy,map_pars_fragment:Ny,map_particle_fragment:Fy,map_particle_pars_fragment:Oy,metalnessmap_fragment:By,metalnessmap_pars_fragment:zy,morphinstance_vertex:ky,morphcolor_vertex:Vy,morphnormal_vertex:Hy,morphtarget_pars_vertex:Gy,morphtarget_vertex:Wy,normal_fragment_begin:Xy,normal_fragment_maps:qy,normal_pars_fragment:Yy,normal_pars_vertex:$y,normal_vertex:Zy,normalmap_pars_fragment:Jy,clearcoat_normal_fragment_begin:Ky,clearcoat_normal_fragment_maps:jy,clearcoat_pars_fragment:Qy,iridescence_pars_fragment:tM,opaque_fragment:eM,packing:nM,premultiplied_alpha_fragment:iM,project_vertex:sM,dithering_fragment:rM,dithering_pars_fragment:oM,roughnessmap_fragment:aM,roughnessmap_pars_fragment:lM,shadowmap_pars_fragment:cM,shadowmap_pars_vertex:hM,shadowmap_vertex:uM,shadowmask_pars_fragment:fM,skinbase_vertex:dM,skinning_pars_vertex:pM,skinning_vertex:mM,skinnormal_vertex:gM,specularmap_fragment:_M,specularmap_pars_fragment:xM,tonemapping_fragment:vM,tonemapping_pars_fragment:yM,transmission_fragment:MM,transmission_pars_fragment:SM,uv_pars_fragment:bM,uv_pars_vertex:wM,uv_vertex:EM,worldpos_vertex:AM,background_vert:TM,background_frag:CM,backgroundCube_vert:RM,backgroundCube_frag:PM,cube_vert:IM,cube_frag:LM,depth_vert:DM,depth_frag:UM,distanceRGBA_vert:NM,distanceRGBA_frag:FM,equirect_vert:OM,equirect_frag:BM,linedashed_vert:zM,linedashed_frag:kM,meshbasic_vert:VM,meshbasic_frag:HM,meshlambert_vert:GM,meshlambert_frag:WM,meshmatcap_vert:XM,meshmatcap_frag:qM,meshnormal_vert:YM,meshnormal_frag:$M,meshphong_vert:ZM,meshphong_frag:JM,meshphysical_vert:KM,meshphysical_frag:jM,meshtoon_vert:QM,meshtoon_frag:tS,points_vert:eS,points_frag:nS,shadow_vert:iS,shadow_frag:sS,sprite_vert:rS,sprite_frag:oS},Et={common:{diffuse:{value:new xe(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new le},alphaMap:{value:null},alphaMapTransform:{value:new le},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new le}},envmap:{envMap:{value:null},envMapRotation:{value:new le},flipEnvMap:{value:-1},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new le}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new le}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new le},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new le},normalScale:{value:new bt(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new le},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new le}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new le}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new le}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new xe(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMap:{value:[]},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotShadowMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMap:{value:[]},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null}},points:{diffuse:{value:new xe(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new le},alphaTest:{value:0},uvTransform:{value:new le}},sprite:{diffuse:{value:new xe(16777215)},opacity:{value:1},center:{value:new bt(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new le},alphaMap:{value:null},alphaMapTransform:{value:new le},alphaTest:{value:0}}},Ln={basic:{uniforms:Pn([Et.common,Et.specularmap,Et.envmap,Et.aomap,Et.lightmap,Et.fog]),vertexShader:ce.meshbasic_vert,fragmentShader:ce.meshbasic_frag},lambert:{uniforms:Pn([Et.common,Et.specularmap,Et.envmap,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.fog,Et.lights,{emissive:{value:new xe(0)}}]),vertexShader:ce.meshlambert_vert,fragmentShader:ce.meshlambert_frag},phong:{uniforms:Pn([Et.common,Et.specularmap,Et.envmap,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.fog,Et.lights,{emissive:{value:new xe(0)},specular:{value:new xe(1118481)},shininess:{value:30}}]),vertexShader:ce.meshphong_vert,fragmentShader:ce.meshphong_frag},standard:{uniforms:Pn([Et.common,Et.envmap,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.roughnessmap,Et.metalnessmap,Et.fog,Et.lights,{emissive:{value:new xe(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:ce.meshphysical_vert,fragmentShader:ce.meshphysical_frag},toon:{uniforms:Pn([Et.common,Et.aomap,Et.lightmap,Et.emissivemap,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.gradientmap,Et.fog,Et.lights,{emissive:{value:new xe(0)}}]),vertexShader:ce.meshtoon_vert,fragmentShader:ce.meshtoon_frag},matcap:{uniforms:Pn([Et.common,Et.bumpmap,Et.normalmap,Et.displacementmap,Et.fog,{matcap:{value:null}}]),vertexShader:ce.meshmatcap_vert,fragmentShader:ce.meshmatcap_frag},points:{uniforms:Pn([Et.points,Et.fog]),vertexShader:ce.points_vert,fragmentShader:ce.points_frag},dashed:{uniforms:Pn([Et.common,Et.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:ce.linedashed_vert,fragmentShader:ce.linedashed_frag},depth:{uniforms:Pn([Et.common,Et.displacementmap]),vertexShader:ce.depth_vert,fragmentShader:ce.depth_frag},normal:{uniforms:Pn([Et.common,Et.bumpmap,Et.normalmap,Et.displacementmap,{opacity:{value:1}}]),vertexShader:ce.meshnormal_vert,fragmentShader:ce.meshnormal_frag},sprite:{uniforms:Pn([Et.sprite,Et.fog]),vertexShader:ce.sprite_vert,fragmentShader:ce.sprite_frag},background:{uniforms:{uvTransform:{value:new le},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:ce.background_vert,fragmentShader:ce.background_frag},backgroundCube:{uniforms:{envMap:{value:null},flipEnvMap:{value:-1},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new le}},vertexShader:ce.backgroundCube_vert,fragmentShader:ce.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:ce.cube_vert,fragmentShader:ce.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:ce.equirect_vert,fragmentShader:ce.equirect_frag},distanceRGBA:{uniforms:Pn([Et.common,Et.displacementmap,{referencePosition:{value:new O},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:ce.distanceRGBA_vert,fragmentShader:ce.distanceRGBA_frag},shadow:{uniforms:Pn([Et.lights,Et.fog,{color:{value:new xe(0)},opacity:{value:1}}]),vertexShader:ce.shadow_vert,fragmentShader:ce.shadow_frag}};Ln.physical={uniforms:Pn([Ln.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new le},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new le},clearcoatNormalScale:{value:new bt(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new le},dispersion:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new le},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new le},sheen:{value:0},sheenColor:{value:new xe(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new le},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new le},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new le},transmissionSamplerSize:{value:new bt},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new le},attenuationDistance:{value:0},attenuationColor:{value:new xe(0)},specularColor:{value:new xe(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new le},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new le},anisotropyVector:{value:new bt},anisotropyMap:{value:null},anisotropyMapTransform:{value:new le}}]),vertexShader:ce.meshphysical_vert,fragmentShader:ce.meshphysical_frag};Wa={r:0,b:0,g:0},Ws=new is,aS=new Oe;Vo=class extends ml{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-t,o=n+t,a=s+e,l=s-e;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}},Yr=4,jp=[.125,.215,.35,.446,.526,.582],Zs=20,uh=new Vo,Qp=new xe,fh=null,dh=0,ph=0,mh=!1,qs=(1+Math.sqrt(5))/2,qr=1/qs,tm=[new O(-qs,qr,0),new O(qs,qr,0),new O(-qr,0,qs),new O(qr,0,qs),new O(0,qs,-qr),new O(0,qs,qr),new O(-1,1,-1),new O(1,1,-1),new O(-1,1,1),new O(1,1,1)],vl=class{constructor(t){this._renderer=t,this._pingPongRenderTarget=null,this._lodMax=0,this._cubeSize=0,this._lodPlanes=[],this._sizeLods=[],this._sigmas=[],this._blurMaterial=null,this._cubemapMaterial=null,this._equirectMaterial=null,this._compileMaterial(this._blurMaterial)}fromScene(t,e=0,n=.1,s=100){fh=this._renderer.getRenderTarget(),dh=this._renderer.getActiveCubeFace(),ph=this._renderer.getActiveMipmapLevel(),mh=this._renderer.xr.enabled,this._renderer.xr.enabled=!1,this._setSize(256);let r=this._allocateTargets();return r.depthBuffer=!0,this._sceneToCubeUV(t,n,s,r),e>0&&this._blur(r,0,0,e),this._applyPMREM(r),this._cleanup(r),r}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=im(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=nm(),this._compileMaterial(this._equirectMaterial))}dispose(){this._dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose()}_setSize(t){this._lodMax=Math.floor(Math.log2(t)),this._cubeSize=Math.pow(2,this._lodMax)}_dispose(){this._blurMaterial!==null&&this._blurMaterial.dispose(),this._pingPongRenderTarget!==null&&this._pingPongRenderTarget.dispose();for(let t=0;t<this._lodPlanes.length;t++)this._lodPlanes[t].dispose()}_cleanup(t){this._renderer.setRenderTarget(fh,dh,ph),this._renderer.xr.enabled=mh,t.scissorTest=!1,Xa(t,0,0,t.width,t.height)}_fromTexture(t,e){t.mapping===eo||t.mapping===no?this._setSize(t.image.length===0?16:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4),fh=this._renderer.getRenderTarget(),dh=this._renderer.getActiveCubeFace(),ph=this._renderer.getActiveMipmapLevel(),mh=this._renderer.xr.enabled,this._renderer.xr.enabled=!1;let n=e||this._allocateTargets();return this._textureToCubeUV(t,n),this._applyPMREM(n),this._cleanup(n),n}_allocateTargets(){let t=3*Math.max(this._cubeSize,112),e=4*this._cubeSize,n={magFilter:Pi,minFilter:Pi,generateMipmaps:!1,type:$o,format:xi,colorSpace:Es,depthBuffer:!1},s=em(t,e,n);if(this._pingPongRenderTarget===null||this._pingPongRenderTarget.width!==t||this._pingPongRenderTarget.height!==e){this._pingPongRenderTarget!==null&&this._dispose(),this._pingPongRenderTarget=em(t,e,n);let{_lodMax:r}=this;({sizeLods:this._sizeLods,lodPlanes:this._lodPlanes,sigmas:this._sigmas}=pS(r)),this._blurMaterial=mS(r,t,e)}return s}_compileMaterial(t){let e=new bn(this._lodPlanes[0],t);this._renderer.compile(e,uh)}_sceneToCubeUV(t,e,n,s){let a=new In(90,1,e,n),l=[1,-1,1,1,1,1],c=[1,1,1,-1,-1,-1],h=this._renderer,f=h.autoClear,u=h.toneMapping;h.getClearColor(Qp),h.toneMapping=Ms,h.autoClear=!1;let p=new fl({name:"PMREM.Background",side:Fn,depthWrite:!1,depthTest:!1}),g=new bn(new ko,p),x=!1,m=t.background;m?m.isColor&&(p.color.copy(m),t.background=null,x=!0):(p.color.copy(Qp),x=!0);for(let d=0;d<6;d++){let E=d%3;E===0?(a.up.set(0,l[d],0),a.lookAt(c[d],0,0)):E===1?(a.up.set(0,0,l[d]),a.lookAt(0,c[d],0)):(a.up.set(0,l[d],0),a.lookAt(0,0,c[d]));let M=this._cubeSize;Xa(s,E*M,d>2?M:0,M,M),h.setRenderTarget(s),x&&h.render(g,a),h.render(t,a)}g.geometry.dispose(),g.material.dispose(),h.toneMapping=u,h.autoClear=f,t.background=m}_textureToCubeUV(t,e){let n=this._renderer,s=t.mapping===eo||t.mapping===no;s?(this._cubemapMaterial===null&&(this._cubemapMaterial=im()),this._cubemapMaterial.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):this._equirectMaterial===null&&(this._equirectMaterial=nm());let r=s?this._cubemapMaterial:this._equirectMaterial,o=new bn(this._lodPlanes[0],r),a=r.uniforms;a.envMap.value=t;let l=this._cubeSize;Xa(e,0,0,3*l,2*l),n.setRenderTarget(e),n.render(o,uh)}_applyPMREM(t){let e=this._renderer,n=e.autoClear;e.autoClear=!1;let s=this._lodPlanes.length;for(let r=1;r<s;r++){let o=Math.sqrt(this._sigmas[r]*this._sigmas[r]-this._sigmas[r-1]*this._sigmas[r-1]),a=tm[(s-r-1)%tm.length];this._blur(t,r-1,r,o,a)}e.autoClear=n}_blur(t,e,n,s,r){let o=this._pingPongRenderTarget;this._halfBlur(t,o,e,n,s,"latitudinal",r),this._halfBlur(o,t,n,n,s,"longitudinal",r)}_halfBlur(t,e,n,s,r,o,a){let l=this._renderer,c=this._blurMaterial;o!=="latitudinal"&&o!=="longitudinal"&&console.error("blur direction must be either latitudinal or longitudinal!");let h=3,f=new bn(this._lodPlanes[s],c),u=c.uniforms,p=this._sizeLods[n]-1,g=isFinite(r)?Math.PI/(2*p):2*Math.PI/(2*Zs-1),x=r/g,m=isFinite(r)?1+Math.floor(h*x):Zs;m>Zs&&console.warn(`sigmaRadians, ${r}, is too large and will clip, as it requested ${m} samples when the maximum is set to ${Zs}`);let d=[],E=0;for(let I=0;I<Zs;++I){let L=I/x,b=Math.exp(-L*L/2);d.push(b),I===0?E+=b:I<m&&(E+=2*b)}for(let I=0;I<d.length;I++)d[I]=d[I]/E;u.envMap.value=t.texture,u.samples.value=m,u.weights.value=d,u.latitudinal.value=o==="latitudinal",a&&(u.poleAxis.value=a);let{_lodMax:M}=this;u.dTheta.value=g,u.mipInt.value=M-n;let v=this._sizeLods[s],P=3*v*(s>M-Yr?s-M+Yr:0),T=4*(this._cubeSize-v);Xa(e,P,T,3*v,2*v),l.setRenderTarget(e),l.render(f,uh)}};yl=class extends ii{constructor(t,e,n,s,r,o,a,l,c,h=Kr){if(h!==Kr&&h!==so)throw new Error("DepthTexture format must be either THREE.DepthFormat or THREE.DepthStencilFormat");n===void 0&&h===Kr&&(n=js),n===void 0&&h===so&&(n=io),super(null,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.image={width:t,height:e},this.magFilter=a!==void 0?a:vi,this.minFilter=l!==void 0?l:vi,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return this.compareFunction!==null&&(e.compareFunction=this.compareFunction),e}},Km=new ii,sm=new yl(1,1),jm=new cl,Qm=new hu,tg=new gl,rm=[],om=[],am=new Float32Array(16),lm=new Float32Array(9),cm=new Float32Array(4);du=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=HS(e.type)}},pu=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=lb(e.type)}},mu=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],n)}}},gh=/(\w+)(\])?(\[|\.)?/g;Qr=class{constructor(t,e){this.seq=[],this.map={};let n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let s=0;s<n;++s){let r=t.getActiveUniform(e,s),o=t.getUniformLocation(e,r.name);cb(r,o,this)}}setValue(t,e,n,s){let r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){let s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,s)}}static seqWithValue(t,e){let n=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&n.push(o)}return n}};hb=37297,ub=0;fm=new le;qa=new O;yb=/^[ \t]*#include +<([\w\d./]+)>/gm;Mb=new Map;bb=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;Ib=0,_u=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t){let e=t.vertexShader,n=t.fragmentShader,s=this._getShaderStage(e),r=this._getShaderStage(n),o=this._getShaderCacheForMaterial(t);return o.has(s)===!1&&(o.add(s),s.usedTimes++),o.has(r)===!1&&(o.add(r),r.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderID(t){return this._getShaderStage(t.vertexShader).id}getFragmentShaderID(t){return this._getShaderStage(t.fragmentShader).id}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){let e=this.shaderCache,n=e.get(t);return n===void 0&&(n=new xu(t),e.set(t,n)),n}},xu=class{constructor(t){this.id=Ib++,this.code=t,this.usedTimes=0}};Bb=0;vu=class extends Qs{static get type(){return"MeshDepthMaterial"}constructor(t){super(),this.isMeshDepthMaterial=!0,this.depthPacking=Dx,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},yu=class extends Qs{static get type(){return"MeshDistanceMaterial"}constructor(t){super(),this.isMeshDistanceMaterial=!0,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}},Hb=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,Gb=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
#include <packing>
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = unpackRGBATo2Half( texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ) );
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = unpackRGBAToDepth( texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ) );
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( squared_mean - mean * mean );
	gl_FragColor = pack2HalfToRGBA( vec2( mean, std_dev ) );
}`;Xb={[bh]:wh,[Eh]:Ch,[Ah]:Rh,[to]:Th,[wh]:bh,[Ch]:Eh,[Rh]:Ah,[Th]:to};Mu=class extends In{constructor(t=[]){super(),this.isArrayCamera=!0,this.cameras=t}},$r=class extends ri{constructor(){super(),this.isGroup=!0,this.type="Group"}},Jb={type:"move"},No=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new $r,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new $r,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new O,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new O),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new $r,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new O,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new O),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(let x of t.hand.values()){let m=e.getJointPose(x,n),d=this._getHandJoint(c,x);m!==null&&(d.matrix.fromArray(m.transform.matrix),d.matrix.decompose(d.position,d.rotation,d.scale),d.matrixWorldNeedsUpdate=!0,d.jointRadius=m.radius),d.visible=m!==null}let h=c.joints["index-finger-tip"],f=c.joints["thumb-tip"],u=h.position.distanceTo(f.position),p=.02,g=.005;c.inputState.pinching&&u>p+g?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&u<=p-g&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.rotation,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.rotation,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(Jb)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let n=new $r;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}},Kb=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,jb=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Su=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e,n){if(this.texture===null){let s=new ii,r=t.properties.get(s);r.__webglTexture=e.texture,(e.depthNear!=n.depthNear||e.depthFar!=n.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=s}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,n=new On({vertexShader:Kb,fragmentShader:jb,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new bn(new xl(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},bu=class extends ws{constructor(t,e){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,f=null,u=null,p=null,g=null,x=new Su,m=e.getContextAttributes(),d=null,E=null,M=[],v=[],P=new bt,T=null,I=new In;I.viewport=new Fe;let L=new In;L.viewport=new Fe;let b=[I,L],y=new Mu,C=null,F=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(Z){let ut=M[Z];return ut===void 0&&(ut=new No,M[Z]=ut),ut.getTargetRaySpace()},this.getControllerGrip=function(Z){let ut=M[Z];return ut===void 0&&(ut=new No,M[Z]=ut),ut.getGripSpace()},this.getHand=function(Z){let ut=M[Z];return ut===void 0&&(ut=new No,M[Z]=ut),ut.getHandSpace()};function B(Z){let ut=v.indexOf(Z.inputSource);if(ut===-1)return;let Dt=M[ut];Dt!==void 0&&(Dt.update(Z.inputSource,Z.frame,c||o),Dt.dispatchEvent({type:Z.type,data:Z.inputSource}))}function W(){s.removeEventListener("select",B),s.removeEventListener("selectstart",B),s.removeEventListener("selectend",B),s.removeEventListener("squeeze",B),s.removeEventListener("squeezestart",B),s.removeEventListener("squeezeend",B),s.removeEventListener("end",W),s.removeEventListener("inputsourceschange",k);for(let Z=0;Z<M.length;Z++){let ut=v[Z];ut!==null&&(v[Z]=null,M[Z].disconnect(ut))}C=null,F=null,x.reset(),t.setRenderTarget(d),p=null,u=null,f=null,s=null,E=null,$t.stop(),n.isPresenting=!1,t.setPixelRatio(T),t.setSize(P.width,P.height,!1),n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(Z){r=Z,n.isPresenting===!0&&console.warn("THREE.WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(Z){a=Z,n.isPresenting===!0&&console.warn("THREE.WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(Z){c=Z},this.getBaseLayer=function(){return u!==null?u:p},this.getBinding=function(){return f},this.getFrame=function(){return g},this.getSession=function(){return s},this.setSession=async function(Z){if(s=Z,s!==null){if(d=t.getRenderTarget(),s.addEventListener("select",B),s.addEventListener("selectstart",B),s.addEventListener("selectend",B),s.addEventListener("squeeze",B),s.addEventListener("squeezestart",B),s.addEventListener("squeezeend",B),s.addEventListener("end",W),s.addEventListener("inputsourceschange",k),m.xrCompatible!==!0&&await e.makeXRCompatible(),T=t.getPixelRatio(),t.getSize(P),s.renderState.layers===void 0){let ut={antialias:m.antialias,alpha:!0,depth:m.depth,stencil:m.stencil,framebufferScaleFactor:r};p=new XRWebGLLayer(s,e,ut),s.updateRenderState({baseLayer:p}),t.setPixelRatio(1),t.setSize(p.framebufferWidth,p.framebufferHeight,!1),E=new ns(p.framebufferWidth,p.framebufferHeight,{format:xi,type:es,colorSpace:t.outputColorSpace,stencilBuffer:m.stencil})}else{let ut=null,Dt=null,mt=null;m.depth&&(mt=m.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,ut=m.stencil?so:Kr,Dt=m.stencil?io:js);let Ft={colorFormat:e.RGBA8,depthFormat:mt,scaleFactor:r};f=new XRWebGLBinding(s,e),u=f.createProjectionLayer(Ft),s.updateRenderState({layers:[u]}),t.setPixelRatio(1),t.setSize(u.textureWidth,u.textureHeight,!1),E=new ns(u.textureWidth,u.textureHeight,{format:xi,type:es,depthTexture:new yl(u.textureWidth,u.textureHeight,Dt,void 0,void 0,void 0,void 0,void 0,void 0,ut),stencilBuffer:m.stencil,colorSpace:t.outputColorSpace,samples:m.antialias?4:0,resolveDepthBuffer:u.ignoreDepthValues===!1})}E.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),$t.setContext(s),$t.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return x.getDepthTexture()};function k(Z){for(let ut=0;ut<Z.removed.length;ut++){let Dt=Z.removed[ut],mt=v.indexOf(Dt);mt>=0&&(v[mt]=null,M[mt].disconnect(Dt))}for(let ut=0;ut<Z.added.length;ut++){let Dt=Z.added[ut],mt=v.indexOf(Dt);if(mt===-1){for(let qt=0;qt<M.length;qt++)if(qt>=v.length){v.push(Dt),mt=qt;break}else if(v[qt]===null){v[qt]=Dt,mt=qt;break}if(mt===-1)break}let Ft=M[mt];Ft&&Ft.connect(Dt)}}let q=new O,j=new O;function $(Z,ut,Dt){q.setFromMatrixPosition(ut.matrixWorld),j.setFromMatrixPosition(Dt.matrixWorld);let mt=q.distanceTo(j),Ft=ut.projectionMatrix.elements,qt=Dt.projectionMatrix.elements,Pt=Ft[14]/(Ft[10]-1),te=Ft[14]/(Ft[10]+1),at=(Ft[9]+1)/Ft[5],et=(Ft[9]-1)/Ft[5],D=(Ft[8]-1)/Ft[0],vt=(qt[8]+1)/qt[0],st=Pt*D,ct=Pt*vt,rt=mt/(-D+vt),Tt=rt*-D;if(ut.matrixWorld.decompose(Z.position,Z.quaternion,Z.scale),Z.translateX(Tt),Z.translateZ(rt),Z.matrixWorld.compose(Z.position,Z.quaternion,Z.scale),Z.matrixWorldInverse.copy(Z.matrixWorld).invert(),Ft[10]===-1)Z.projectionMatrix.copy(ut.projectionMatrix),Z.projectionMatrixInverse.copy(ut.projectionMatrixInverse);else{let dt=Pt+rt,R=te+rt,S=st-Tt,z=ct+(mt-Tt),Q=at*te/R*dt,K=et*te/R*dt;Z.projectionMatrix.makePerspective(S,z,Q,K,dt,R),Z.projectionMatrixInverse.copy(Z.projectionMatrix).invert()}}function ot(Z,ut){ut===null?Z.matrixWorld.copy(Z.matrix):Z.matrixWorld.multiplyMatrices(ut.matrixWorld,Z.matrix),Z.matrixWorldInverse.copy(Z.matrixWorld).invert()}this.updateCamera=function(Z){if(s===null)return;let ut=Z.near,Dt=Z.far;x.texture!==null&&(x.depthNear>0&&(ut=x.depthNear),x.depthFar>0&&(Dt=x.depthFar)),y.near=L.near=I.near=ut,y.far=L.far=I.far=Dt,(C!==y.near||F!==y.far)&&(s.updateRenderState({depthNear:y.near,depthFar:y.far}),C=y.near,F=y.far),I.layers.mask=Z.layers.mask|2,L.layers.mask=Z.layers.mask|4,y.layers.mask=I.layers.mask|L.layers.mask;let mt=Z.parent,Ft=y.cameras;ot(y,mt);for(let qt=0;qt<Ft.length;qt++)ot(Ft[qt],mt);Ft.length===2?$(y,I,L):y.projectionMatrix.copy(I.projectionMatrix),lt(Z,y,mt)};function lt(Z,ut,Dt){Dt===null?Z.matrix.copy(ut.matrixWorld):(Z.matrix.copy(Dt.matrixWorld),Z.matrix.invert(),Z.matrix.multiply(ut.matrixWorld)),Z.matrix.decompose(Z.position,Z.quaternion,Z.scale),Z.updateMatrixWorld(!0),Z.projectionMatrix.copy(ut.projectionMatrix),Z.projectionMatrixInverse.copy(ut.projectionMatrixInverse),Z.isPerspectiveCamera&&(Z.fov=zo*2*Math.atan(1/Z.projectionMatrix.elements[5]),Z.zoom=1)}this.getCamera=function(){return y},this.getFoveation=function(){if(!(u===null&&p===null))return l},this.setFoveation=function(Z){l=Z,u!==null&&(u.fixedFoveation=Z),p!==null&&p.fixedFoveation!==void 0&&(p.fixedFoveation=Z)},this.hasDepthSensing=function(){return x.texture!==null},this.getDepthSensingMesh=function(){return x.getMesh(y)};let ft=null;function _t(Z,ut){if(h=ut.getViewerPose(c||o),g=ut,h!==null){let Dt=h.views;p!==null&&(t.setRenderTargetFramebuffer(E,p.framebuffer),t.setRenderTarget(E));let mt=!1;Dt.length!==y.cameras.length&&(y.cameras.length=0,mt=!0);for(let qt=0;qt<Dt.length;qt++){let Pt=Dt[qt],te=null;if(p!==null)te=p.getViewport(Pt);else{let et=f.getViewSubImage(u,Pt);te=et.viewport,qt===0&&(t.setRenderTargetTextures(E,et.colorTexture,u.ignoreDepthValues?void 0:et.depthStencilTexture),t.setRenderTarget(E))}let at=b[qt];at===void 0&&(at=new In,at.layers.enable(qt),at.viewport=new Fe,b[qt]=at),at.matrix.fromArray(Pt.transform.matrix),at.matrix.decompose(at.position,at.quaternion,at.scale),at.projectionMatrix.fromArray(Pt.projectionMatrix),at.projectionMatrixInverse.copy(at.projectionMatrix).invert(),at.viewport.set(te.x,te.y,te.width,te.height),qt===0&&(y.matrix.copy(at.matrix),y.matrix.decompose(y.position,y.quaternion,y.scale)),mt===!0&&y.cameras.push(at)}let Ft=s.enabledFeatures;if(Ft&&Ft.includes("depth-sensing")){let qt=f.getDepthInformation(Dt[0]);qt&&qt.isValid&&qt.texture&&x.init(t,qt,s.renderState)}}for(let Dt=0;Dt<M.length;Dt++){let mt=v[Dt],Ft=M[Dt];mt!==null&&Ft!==void 0&&Ft.update(mt,ut,c||o)}ft&&ft(Z,ut),ut.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:ut}),g=null}let $t=new Jm;$t.setAnimationLoop(_t),this.setAnimationLoop=function(Z){ft=Z},this.dispose=function(){}}},Xs=new is,Qb=new Oe;Ml=class{constructor(t={}){let{canvas:e=ov(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:f=!1,reverseDepthBuffer:u=!1}=t;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=n.getContextAttributes().alpha}else p=o;let g=new Uint32Array(4),x=new Int32Array(4),m=null,d=null,E=[],M=[];this.domElement=e,this.debug={checkShaderErrors:!0,onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this._outputColorSpace=ni,this.toneMapping=Ms,this.toneMappingExposure=1;let v=this,P=!1,T=0,I=0,L=null,b=-1,y=null,C=new Fe,F=new Fe,B=null,W=new xe(0),k=0,q=e.width,j=e.height,$=1,ot=null,lt=null,ft=new Fe(0,0,q,j),_t=new Fe(0,0,q,j),$t=!1,Z=new _l,ut=!1,Dt=!1,mt=new Oe,Ft=new Oe,qt=new O,Pt=new Fe,te={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},at=!1;function et(){return L===null?$:1}let D=n;function vt(A,H){return e.getContext(A,H)}try{let A={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:f};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${Wu}`),e.addEventListener("webglcontextlost",pt,!1),e.addEventListener("webglcontextrestored",Ot,!1),e.addEventListener("webglcontextcreationerror",Nt,!1),D===null){let H="webgl2";if(D=vt(H,A),D===null)throw vt(H)?new Error("Error creating WebGL context with your selected attributes."):new Error("Error creating WebGL context.")}}catch(A){throw console.error("THREE.WebGLRenderer: "+A.message),A}let st,ct,rt,Tt,dt,R,S,z,Q,K,nt,It,St,wt,Kt,gt,At,Yt,Jt,Ut,ae,ee,Se,V;function Ct(){st=new _S(D),st.init(),ee=new Zb(D,st),ct=new uS(D,st,t,ee),rt=new qb(D,st),ct.reverseDepthBuffer&&u&&rt.buffers.depth.setReversed(!0),Tt=new yS(D),dt=new Db,R=new $b(D,st,rt,dt,ct,ee,Tt),S=new dS(v),z=new gS(v),Q=new Tv(D),Se=new cS(D,Q),K=new xS(D,Q,Tt,Se),nt=new SS(D,K,Q,Tt),Jt=new MS(D,ct,R),gt=new fS(dt),It=new Lb(v,S,z,st,ct,Se,gt),St=new tw(v,dt),wt=new Nb,Kt=new Vb(st),Yt=new lS(v,S,z,rt,nt,p,l),At=new Wb(v,nt,ct),V=new ew(D,Tt,ct,rt),Ut=new hS(D,st,Tt),ae=new vS(D,st,Tt),Tt.programs=It.programs,v.capabilities=ct,v.extensions=st,v.properties=dt,v.renderLists=wt,v.shadowMap=At,v.state=rt,v.info=Tt}Ct();let it=new bu(v,D);this.xr=it,this.getContext=function(){return D},this.getContextAttributes=function(){return D.getContextAttributes()},this.forceContextLoss=function(){let A=st.get("WEBGL_lose_context");A&&A.loseContext()},this.forceContextRestore=function(){let A=st.get("WEBGL_lose_context");A&&A.restoreContext()},this.getPixelRatio=function(){return $},this.setPixelRatio=function(A){A!==void 0&&($=A,this.setSize(q,j,!1))},this.getSize=function(A){return A.set(q,j)},this.setSize=function(A,H,Y=!0){if(it.isPresenting){console.warn("THREE.WebGLRenderer: Can't change size while VR device is presenting.");return}q=A,j=H,e.width=Math.floor(A*$),e.height=Math.floor(H*$),Y===!0&&(e.style.width=A+"px",e.style.height=H+"px"),this.setViewport(0,0,A,H)},this.getDrawingBufferSize=function(A){return A.set(q*$,j*$).floor()},this.setDrawingBufferSize=function(A,H,Y){q=A,j=H,$=Y,e.width=Math.floor(A*Y),e.height=Math.floor(H*Y),this.setViewport(0,0,A,H)},this.getCurrentViewport=function(A){return A.copy(C)},this.getViewport=function(A){return A.copy(ft)},this.setViewport=function(A,H,Y,tt){A.isVector4?ft.set(A.x,A.y,A.z,A.w):ft.set(A,H,Y,tt),rt.viewport(C.copy(ft).multiplyScalar($).round())},this.getScissor=function(A){return A.copy(_t)},this.setScissor=function(A,H,Y,tt){A.isVector4?_t.set(A.x,A.y,A.z,A.w):_t.set(A,H,Y,tt),rt.scissor(F.copy(_t).multiplyScalar($).round())},this.getScissorTest=function(){return $t},this.setScissorTest=function(A){rt.setScissorTest($t=A)},this.setOpaqueSort=function(A){ot=A},this.setTransparentSort=function(A){lt=A},this.getClearColor=function(A){return A.copy(Yt.getClearColor())},this.setClearColor=function(){Yt.setClearColor.apply(Yt,arguments)},this.getClearAlpha=function(){return Yt.getClearAlpha()},this.setClearAlpha=function(){Yt.setClearAlpha.apply(Yt,arguments)},this.clear=function(A=!0,H=!0,Y=!0){let tt=0;if(A){let X=!1;if(L!==null){let yt=L.texture.format;X=yt===Ju||yt===Zu||yt===$u}if(X){let yt=L.texture.type,Lt=yt===es||yt===js||yt===Bo||yt===io||yt===qu||yt===Yu,Wt=Yt.getClearColor(),Gt=Yt.getClearAlpha(),Qt=Wt.r,ne=Wt.g,Xt=Wt.b;Lt?(g[0]=Qt,g[1]=ne,g[2]=Xt,g[3]=Gt,D.clearBufferuiv(D.COLOR,0,g)):(x[0]=Qt,x[1]=ne,x[2]=Xt,x[3]=Gt,D.clearBufferiv(D.COLOR,0,x))}else tt|=D.COLOR_BUFFER_BIT}H&&(tt|=D.DEPTH_BUFFER_BIT),Y&&(tt|=D.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),D.clear(tt)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.dispose=function(){e.removeEventListener("webglcontextlost",pt,!1),e.removeEventListener("webglcontextrestored",Ot,!1),e.removeEventListener("webglcontextcreationerror",Nt,!1),wt.dispose(),Kt.dispose(),dt.dispose(),S.dispose(),z.dispose(),nt.dispose(),Se.dispose(),V.dispose(),It.dispose(),it.dispose(),it.removeEventListener("sessionstart",Bi),it.removeEventListener("sessionend",zi),Je.stop()};function pt(A){A.preventDefault(),console.log("THREE.WebGLRenderer: Context Lost."),P=!0}function Ot(){console.log("THREE.WebGLRenderer: Context Restored."),P=!1;let A=Tt.autoReset,H=At.enabled,Y=At.autoUpdate,tt=At.needsUpdate,X=At.type;Ct(),Tt.autoReset=A,At.enabled=H,At.autoUpdate=Y,At.needsUpdate=tt,At.type=X}function Nt(A){console.error("THREE.WebGLRenderer: A WebGL context could not be created. Reason: ",A.statusMessage)}function se(A){let H=A.target;H.removeEventListener("dispose",se),He(H)}function He(A){kt(A),dt.remove(A)}function kt(A){let H=dt.get(A).programs;H!==void 0&&(H.forEach(function(Y){It.releaseProgram(Y)}),A.isShaderMaterial&&It.releaseShaderCache(A))}this.renderBufferDirect=function(A,H,Y,tt,X,yt){H===null&&(H=te);let Lt=X.isMesh&&X.matrixWorld.determinant()<0,Wt=Rs(A,H,Y,tt,X);rt.setMaterial(tt,Lt);let Gt=Y.index,Qt=1;if(tt.wireframe===!0){if(Gt=K.getWireframeAttribute(Y),Gt===void 0)return;Qt=2}let ne=Y.drawRange,Xt=Y.attributes.position,fe=ne.start*Qt,we=(ne.start+ne.count)*Qt;yt!==null&&(fe=Math.max(fe,yt.start*Qt),we=Math.min(we,(yt.start+yt.count)*Qt)),Gt!==null?(fe=Math.max(fe,0),we=Math.min(we,Gt.count)):Xt!=null&&(fe=Math.max(fe,0),we=Math.min(we,Xt.count));let Ae=we-fe;if(Ae<0||Ae===1/0)return;Se.setup(X,tt,Wt,Y,Gt);let cn,_e=Ut;if(Gt!==null&&(cn=Q.get(Gt),_e=ae,_e.setIndex(cn)),X.isMesh)tt.wireframe===!0?(rt.setLineWidth(tt.wireframeLinewidth*et()),_e.setMode(D.LINES)):_e.setMode(D.TRIANGLES);else if(X.isLine){let Vt=tt.linewidth;Vt===void 0&&(Vt=1),rt.setLineWidth(Vt*et()),X.isLineSegments?_e.setMode(D.LINES):X.isLineLoop?_e.setMode(D.LINE_LOOP):_e.setMode(D.LINE_STRIP)}else X.isPoints?_e.setMode(D.POINTS):X.isSprite&&_e.setMode(D.TRIANGLES);if(X.isBatchedMesh)if(X._multiDrawInstances!==null)_e.renderMultiDrawInstances(X._multiDrawStarts,X._multiDrawCounts,X._multiDrawCount,X._multiDrawInstances);else if(st.get("WEBGL_multi_draw"))_e.renderMultiDraw(X._multiDrawStarts,X._multiDrawCounts,X._multiDrawCount);else{let Vt=X._multiDrawStarts,$n=X._multiDrawCounts,ve=X._multiDrawCount,wn=Gt?Q.get(Gt).bytesPerElement:1,Vi=dt.get(tt).currentProgram.getUniforms();for(let En=0;En<ve;En++)Vi.setValue(D,"_gl_DrawID",En),_e.render(Vt[En]/wn,$n[En])}else if(X.isInstancedMesh)_e.renderInstances(fe,Ae,X.count);else if(Y.isInstancedBufferGeometry){let Vt=Y._maxInstanceCount!==void 0?Y._maxInstanceCount:1/0,$n=Math.min(Y.instanceCount,Vt);_e.renderInstances(fe,Ae,$n)}else _e.render(fe,Ae)};function he(A,H,Y){A.transparent===!0&&A.side===gi&&A.forceSinglePass===!1?(A.side=Fn,A.needsUpdate=!0,cr(A,H,Y),A.side=bs,A.needsUpdate=!0,cr(A,H,Y),A.side=gi):cr(A,H,Y)}this.compile=function(A,H,Y=null){Y===null&&(Y=A),d=Kt.get(Y),d.init(H),M.push(d),Y.traverseVisible(function(X){X.isLight&&X.layers.test(H.layers)&&(d.pushLight(X),X.castShadow&&d.pushShadow(X))}),A!==Y&&A.traverseVisible(function(X){X.isLight&&X.layers.test(H.layers)&&(d.pushLight(X),X.castShadow&&d.pushShadow(X))}),d.setupLights();let tt=new Set;return A.traverse(function(X){if(!(X.isMesh||X.isPoints||X.isLine||X.isSprite))return;let yt=X.material;if(yt)if(Array.isArray(yt))for(let Lt=0;Lt<yt.length;Lt++){let Wt=yt[Lt];he(Wt,Y,X),tt.add(Wt)}else he(yt,Y,X),tt.add(yt)}),M.pop(),d=null,tt},this.compileAsync=function(A,H,Y=null){let tt=this.compile(A,H,Y);return new Promise(X=>{function yt(){if(tt.forEach(function(Lt){dt.get(Lt).currentProgram.isReady()&&tt.delete(Lt)}),tt.size===0){X(A);return}setTimeout(yt,10)}st.get("KHR_parallel_shader_compile")!==null?yt():setTimeout(yt,10)})};let Re=null;function ln(A){Re&&Re(A)}function Bi(){Je.stop()}function zi(){Je.start()}let Je=new Jm;Je.setAnimationLoop(ln),typeof self<"u"&&Je.setContext(self),this.setAnimationLoop=function(A){Re=A,it.setAnimationLoop(A),A===null?Je.stop():Je.start()},it.addEventListener("sessionstart",Bi),it.addEventListener("sessionend",zi),this.render=function(A,H){if(H!==void 0&&H.isCamera!==!0){console.error("THREE.WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(P===!0)return;if(A.matrixWorldAutoUpdate===!0&&A.updateMatrixWorld(),H.parent===null&&H.matrixWorldAutoUpdate===!0&&H.updateMatrixWorld(),it.enabled===!0&&it.isPresenting===!0&&(it.cameraAutoUpdate===!0&&it.updateCamera(H),H=it.getCamera()),A.isScene===!0&&A.onBeforeRender(v,A,H,L),d=Kt.get(A,M.length),d.init(H),M.push(d),Ft.multiplyMatrices(H.projectionMatrix,H.matrixWorldInverse),Z.setFromProjectionMatrix(Ft),Dt=this.localClippingEnabled,ut=gt.init(this.clippingPlanes,Dt),m=wt.get(A,E.length),m.init(),E.push(m),it.enabled===!0&&it.isPresenting===!0){let yt=v.xr.getDepthSensingMesh();yt!==null&&Si(yt,H,-1/0,v.sortObjects)}Si(A,H,0,v.sortObjects),m.finish(),v.sortObjects===!0&&m.sort(ot,lt),at=it.enabled===!1||it.isPresenting===!1||it.hasDepthSensing()===!1,at&&Yt.addToRenderList(m,A),this.info.render.frame++,ut===!0&&gt.beginShadows();let Y=d.state.shadowsArray;At.render(Y,A,H),ut===!0&&gt.endShadows(),this.info.autoReset===!0&&this.info.reset();let tt=m.opaque,X=m.transmissive;if(d.setupLights(),H.isArrayCamera){let yt=H.cameras;if(X.length>0)for(let Lt=0,Wt=yt.length;Lt<Wt;Lt++){let Gt=yt[Lt];uo(tt,X,A,Gt)}at&&Yt.render(A);for(let Lt=0,Wt=yt.length;Lt<Wt;Lt++){let Gt=yt[Lt];ki(m,A,Gt,Gt.viewport)}}else X.length>0&&uo(tt,X,A,H),at&&Yt.render(A),ki(m,A,H);L!==null&&(R.updateMultisampleRenderTarget(L),R.updateRenderTargetMipmap(L)),A.isScene===!0&&A.onAfterRender(v,A,H),Se.resetDefaultState(),b=-1,y=null,M.pop(),M.length>0?(d=M[M.length-1],ut===!0&&gt.setGlobalState(v.clippingPlanes,d.state.camera)):d=null,E.pop(),E.length>0?m=E[E.length-1]:m=null};function Si(A,H,Y,tt){if(A.visible===!1)return;if(A.layers.test(H.layers)){if(A.isGroup)Y=A.renderOrder;else if(A.isLOD)A.autoUpdate===!0&&A.update(H);else if(A.isLight)d.pushLight(A),A.castShadow&&d.pushShadow(A);else if(A.isSprite){if(!A.frustumCulled||Z.intersectsSprite(A)){tt&&Pt.setFromMatrixPosition(A.matrixWorld).applyMatrix4(Ft);let Lt=nt.update(A),Wt=A.material;Wt.visible&&m.push(A,Lt,Wt,Y,Pt.z,null)}}else if((A.isMesh||A.isLine||A.isPoints)&&(!A.frustumCulled||Z.intersectsObject(A))){let Lt=nt.update(A),Wt=A.material;if(tt&&(A.boundingSphere!==void 0?(A.boundingSphere===null&&A.computeBoundingSphere(),Pt.copy(A.boundingSphere.center)):(Lt.boundingSphere===null&&Lt.computeBoundingSphere(),Pt.copy(Lt.boundingSphere.center)),Pt.applyMatrix4(A.matrixWorld).applyMatrix4(Ft)),Array.isArray(Wt)){let Gt=Lt.groups;for(let Qt=0,ne=Gt.length;Qt<ne;Qt++){let Xt=Gt[Qt],fe=Wt[Xt.materialIndex];fe&&fe.visible&&m.push(A,Lt,fe,Y,Pt.z,Xt)}}else Wt.visible&&m.push(A,Lt,Wt,Y,Pt.z,null)}}let yt=A.children;for(let Lt=0,Wt=yt.length;Lt<Wt;Lt++)Si(yt[Lt],H,Y,tt)}function ki(A,H,Y,tt){let X=A.opaque,yt=A.transmissive,Lt=A.transparent;d.setupLightsView(Y),ut===!0&&gt.setGlobalState(v.clippingPlanes,Y),tt&&rt.viewport(C.copy(tt)),X.length>0&&Cs(X,H,Y),yt.length>0&&Cs(yt,H,Y),Lt.length>0&&Cs(Lt,H,Y),rt.buffers.depth.setTest(!0),rt.buffers.depth.setMask(!0),rt.buffers.color.setMask(!0),rt.setPolygonOffset(!1)}function uo(A,H,Y,tt){if((Y.isScene===!0?Y.overrideMaterial:null)!==null)return;d.state.transmissionRenderTarget[tt.id]===void 0&&(d.state.transmissionRenderTarget[tt.id]=new ns(1,1,{generateMipmaps:!0,type:st.has("EXT_color_buffer_half_float")||st.has("EXT_color_buffer_float")?$o:es,minFilter:Ks,samples:4,stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,colorSpace:ge.workingColorSpace}));let yt=d.state.transmissionRenderTarget[tt.id],Lt=tt.viewport||C;yt.setSize(Lt.z,Lt.w);let Wt=v.getRenderTarget();v.setRenderTarget(yt),v.getClearColor(W),k=v.getClearAlpha(),k<1&&v.setClearColor(16777215,.5),v.clear(),at&&Yt.render(Y);let Gt=v.toneMapping;v.toneMapping=Ms;let Qt=tt.viewport;if(tt.viewport!==void 0&&(tt.viewport=void 0),d.setupLightsView(tt),ut===!0&&gt.setGlobalState(v.clippingPlanes,tt),Cs(A,Y,tt),R.updateMultisampleRenderTarget(yt),R.updateRenderTargetMipmap(yt),st.has("WEBGL_multisampled_render_to_texture")===!1){let ne=!1;for(let Xt=0,fe=H.length;Xt<fe;Xt++){let we=H[Xt],Ae=we.object,cn=we.geometry,_e=we.material,Vt=we.group;if(_e.side===gi&&Ae.layers.test(tt.layers)){let $n=_e.side;_e.side=Fn,_e.needsUpdate=!0,ta(Ae,Y,tt,cn,_e,Vt),_e.side=$n,_e.needsUpdate=!0,ne=!0}}ne===!0&&(R.updateMultisampleRenderTarget(yt),R.updateRenderTargetMipmap(yt))}v.setRenderTarget(Wt),v.setClearColor(W,k),Qt!==void 0&&(tt.viewport=Qt),v.toneMapping=Gt}function Cs(A,H,Y){let tt=H.isScene===!0?H.overrideMaterial:null;for(let X=0,yt=A.length;X<yt;X++){let Lt=A[X],Wt=Lt.object,Gt=Lt.geometry,Qt=tt===null?Lt.material:tt,ne=Lt.group;Wt.layers.test(Y.layers)&&ta(Wt,H,Y,Gt,Qt,ne)}}function ta(A,H,Y,tt,X,yt){A.onBeforeRender(v,H,Y,tt,X,yt),A.modelViewMatrix.multiplyMatrices(Y.matrixWorldInverse,A.matrixWorld),A.normalMatrix.getNormalMatrix(A.modelViewMatrix),X.onBeforeRender(v,H,Y,tt,A,yt),X.transparent===!0&&X.side===gi&&X.forceSinglePass===!1?(X.side=Fn,X.needsUpdate=!0,v.renderBufferDirect(Y,H,tt,X,A,yt),X.side=bs,X.needsUpdate=!0,v.renderBufferDirect(Y,H,tt,X,A,yt),X.side=gi):v.renderBufferDirect(Y,H,tt,X,A,yt),A.onAfterRender(v,H,Y,tt,X,yt)}function cr(A,H,Y){H.isScene!==!0&&(H=te);let tt=dt.get(A),X=d.state.lights,yt=d.state.shadowsArray,Lt=X.state.version,Wt=It.getParameters(A,X.state,yt,H,Y),Gt=It.getProgramCacheKey(Wt),Qt=tt.programs;tt.environment=A.isMeshStandardMaterial?H.environment:null,tt.fog=H.fog,tt.envMap=(A.isMeshStandardMaterial?z:S).get(A.envMap||tt.environment),tt.envMapRotation=tt.environment!==null&&A.envMap===null?H.environmentRotation:A.envMapRotation,Qt===void 0&&(A.addEventListener("dispose",se),Qt=new Map,tt.programs=Qt);let ne=Qt.get(Gt);if(ne!==void 0){if(tt.currentProgram===ne&&tt.lightsStateVersion===Lt)return ea(A,Wt),ne}else Wt.uniforms=It.getUniforms(A),A.onBeforeCompile(Wt,v),ne=It.acquireProgram(Wt,Gt),Qt.set(Gt,ne),tt.uniforms=Wt.uniforms;let Xt=tt.uniforms;return(!A.isShaderMaterial&&!A.isRawShaderMaterial||A.clipping===!0)&&(Xt.clippingPlanes=gt.uniform),ea(A,Wt),tt.needsLights=wi(A),tt.lightsStateVersion=Lt,tt.needsLights&&(Xt.ambientLightColor.value=X.state.ambient,Xt.lightProbe.value=X.state.probe,Xt.directionalLights.value=X.state.directional,Xt.directionalLightShadows.value=X.state.directionalShadow,Xt.spotLights.value=X.state.spot,Xt.spotLightShadows.value=X.state.spotShadow,Xt.rectAreaLights.value=X.state.rectArea,Xt.ltc_1.value=X.state.rectAreaLTC1,Xt.ltc_2.value=X.state.rectAreaLTC2,Xt.pointLights.value=X.state.point,Xt.pointLightShadows.value=X.state.pointShadow,Xt.hemisphereLights.value=X.state.hemi,Xt.directionalShadowMap.value=X.state.directionalShadowMap,Xt.directionalShadowMatrix.value=X.state.directionalShadowMatrix,Xt.spotShadowMap.value=X.state.spotShadowMap,Xt.spotLightMatrix.value=X.state.spotLightMatrix,Xt.spotLightMap.value=X.state.spotLightMap,Xt.pointShadowMap.value=X.state.pointShadowMap,Xt.pointShadowMatrix.value=X.state.pointShadowMatrix),tt.currentProgram=ne,tt.uniformsList=null,ne}function bi(A){if(A.uniformsList===null){let H=A.currentProgram.getUniforms();A.uniformsList=Qr.seqWithValue(H.seq,A.uniforms)}return A.uniformsList}function ea(A,H){let Y=dt.get(A);Y.outputColorSpace=H.outputColorSpace,Y.batching=H.batching,Y.batchingColor=H.batchingColor,Y.instancing=H.instancing,Y.instancingColor=H.instancingColor,Y.instancingMorph=H.instancingMorph,Y.skinning=H.skinning,Y.morphTargets=H.morphTargets,Y.morphNormals=H.morphNormals,Y.morphColors=H.morphColors,Y.morphTargetsCount=H.morphTargetsCount,Y.numClippingPlanes=H.numClippingPlanes,Y.numIntersection=H.numClipIntersection,Y.vertexAlphas=H.vertexAlphas,Y.vertexTangents=H.vertexTangents,Y.toneMapping=H.toneMapping}function Rs(A,H,Y,tt,X){H.isScene!==!0&&(H=te),R.resetTextureUnits();let yt=H.fog,Lt=tt.isMeshStandardMaterial?H.environment:null,Wt=L===null?v.outputColorSpace:L.isXRRenderTarget===!0?L.texture.colorSpace:Es,Gt=(tt.isMeshStandardMaterial?z:S).get(tt.envMap||Lt),Qt=tt.vertexColors===!0&&!!Y.attributes.color&&Y.attributes.color.itemSize===4,ne=!!Y.attributes.tangent&&(!!tt.normalMap||tt.anisotropy>0),Xt=!!Y.morphAttributes.position,fe=!!Y.morphAttributes.normal,we=!!Y.morphAttributes.color,Ae=Ms;tt.toneMapped&&(L===null||L.isXRRenderTarget===!0)&&(Ae=v.toneMapping);let cn=Y.morphAttributes.position||Y.morphAttributes.normal||Y.morphAttributes.color,_e=cn!==void 0?cn.length:0,Vt=dt.get(tt),$n=d.state.lights;if(ut===!0&&(Dt===!0||A!==y)){let Dn=A===y&&tt.id===b;gt.setState(tt,A,Dn)}let ve=!1;tt.version===Vt.__version?(Vt.needsLights&&Vt.lightsStateVersion!==$n.state.version||Vt.outputColorSpace!==Wt||X.isBatchedMesh&&Vt.batching===!1||!X.isBatchedMesh&&Vt.batching===!0||X.isBatchedMesh&&Vt.batchingColor===!0&&X.colorTexture===null||X.isBatchedMesh&&Vt.batchingColor===!1&&X.colorTexture!==null||X.isInstancedMesh&&Vt.instancing===!1||!X.isInstancedMesh&&Vt.instancing===!0||X.isSkinnedMesh&&Vt.skinning===!1||!X.isSkinnedMesh&&Vt.skinning===!0||X.isInstancedMesh&&Vt.instancingColor===!0&&X.instanceColor===null||X.isInstancedMesh&&Vt.instancingColor===!1&&X.instanceColor!==null||X.isInstancedMesh&&Vt.instancingMorph===!0&&X.morphTexture===null||X.isInstancedMesh&&Vt.instancingMorph===!1&&X.morphTexture!==null||Vt.envMap!==Gt||tt.fog===!0&&Vt.fog!==yt||Vt.numClippingPlanes!==void 0&&(Vt.numClippingPlanes!==gt.numPlanes||Vt.numIntersection!==gt.numIntersection)||Vt.vertexAlphas!==Qt||Vt.vertexTangents!==ne||Vt.morphTargets!==Xt||Vt.morphNormals!==fe||Vt.morphColors!==we||Vt.toneMapping!==Ae||Vt.morphTargetsCount!==_e)&&(ve=!0):(ve=!0,Vt.__version=tt.version);let wn=Vt.currentProgram;ve===!0&&(wn=cr(tt,H,X));let Vi=!1,En=!1,Ps=!1,Le=wn.getUniforms(),Bn=Vt.uniforms;if(rt.useProgram(wn.program)&&(Vi=!0,En=!0,Ps=!0),tt.id!==b&&(b=tt.id,En=!0),Vi||y!==A){rt.buffers.depth.getReversed()?(mt.copy(A.projectionMatrix),lv(mt),cv(mt),Le.setValue(D,"projectionMatrix",mt)):Le.setValue(D,"projectionMatrix",A.projectionMatrix),Le.setValue(D,"viewMatrix",A.matrixWorldInverse);let ai=Le.map.cameraPosition;ai!==void 0&&ai.setValue(D,qt.setFromMatrixPosition(A.matrixWorld)),ct.logarithmicDepthBuffer&&Le.setValue(D,"logDepthBufFC",2/(Math.log(A.far+1)/Math.LN2)),(tt.isMeshPhongMaterial||tt.isMeshToonMaterial||tt.isMeshLambertMaterial||tt.isMeshBasicMaterial||tt.isMeshStandardMaterial||tt.isShaderMaterial)&&Le.setValue(D,"isOrthographic",A.isOrthographicCamera===!0),y!==A&&(y=A,En=!0,Ps=!0)}if(X.isSkinnedMesh){Le.setOptional(D,X,"bindMatrix"),Le.setOptional(D,X,"bindMatrixInverse");let Dn=X.skeleton;Dn&&(Dn.boneTexture===null&&Dn.computeBoneTexture(),Le.setValue(D,"boneTexture",Dn.boneTexture,R))}X.isBatchedMesh&&(Le.setOptional(D,X,"batchingTexture"),Le.setValue(D,"batchingTexture",X._matricesTexture,R),Le.setOptional(D,X,"batchingIdTexture"),Le.setValue(D,"batchingIdTexture",X._indirectTexture,R),Le.setOptional(D,X,"batchingColorTexture"),X._colorsTexture!==null&&Le.setValue(D,"batchingColorTexture",X._colorsTexture,R));let rs=Y.morphAttributes;if((rs.position!==void 0||rs.normal!==void 0||rs.color!==void 0)&&Jt.update(X,Y,wn),(En||Vt.receiveShadow!==X.receiveShadow)&&(Vt.receiveShadow=X.receiveShadow,Le.setValue(D,"receiveShadow",X.receiveShadow)),tt.isMeshGouraudMaterial&&tt.envMap!==null&&(Bn.envMap.value=Gt,Bn.flipEnvMap.value=Gt.isCubeTexture&&Gt.isRenderTargetTexture===!1?-1:1),tt.isMeshStandardMaterial&&tt.envMap===null&&H.environment!==null&&(Bn.envMapIntensity.value=H.environmentIntensity),En&&(Le.setValue(D,"toneMappingExposure",v.toneMappingExposure),Vt.needsLights&&na(Bn,Ps),yt&&tt.fog===!0&&St.refreshFogUniforms(Bn,yt),St.refreshMaterialUniforms(Bn,tt,$,j,d.state.transmissionRenderTarget[A.id]),Qr.upload(D,bi(Vt),Bn,R)),tt.isShaderMaterial&&tt.uniformsNeedUpdate===!0&&(Qr.upload(D,bi(Vt),Bn,R),tt.uniformsNeedUpdate=!1),tt.isSpriteMaterial&&Le.setValue(D,"center",X.center),Le.setValue(D,"modelViewMatrix",X.modelViewMatrix),Le.setValue(D,"normalMatrix",X.normalMatrix),Le.setValue(D,"modelMatrix",X.matrixWorld),tt.isShaderMaterial||tt.isRawShaderMaterial){let Dn=tt.uniformsGroups;for(let ai=0,Zn=Dn.length;ai<Zn;ai++){let Is=Dn[ai];V.update(Is,wn),V.bind(Is,wn)}}return wn}function na(A,H){A.ambientLightColor.needsUpdate=H,A.lightProbe.needsUpdate=H,A.directionalLights.needsUpdate=H,A.directionalLightShadows.needsUpdate=H,A.pointLights.needsUpdate=H,A.pointLightShadows.needsUpdate=H,A.spotLights.needsUpdate=H,A.spotLightShadows.needsUpdate=H,A.rectAreaLights.needsUpdate=H,A.hemisphereLights.needsUpdate=H}function wi(A){return A.isMeshLambertMaterial||A.isMeshToonMaterial||A.isMeshPhongMaterial||A.isMeshStandardMaterial||A.isShadowMaterial||A.isShaderMaterial&&A.lights===!0}this.getActiveCubeFace=function(){return T},this.getActiveMipmapLevel=function(){return I},this.getRenderTarget=function(){return L},this.setRenderTargetTextures=function(A,H,Y){dt.get(A.texture).__webglTexture=H,dt.get(A.depthTexture).__webglTexture=Y;let tt=dt.get(A);tt.__hasExternalTextures=!0,tt.__autoAllocateDepthBuffer=Y===void 0,tt.__autoAllocateDepthBuffer||st.has("WEBGL_multisampled_render_to_texture")===!0&&(console.warn("THREE.WebGLRenderer: Render-to-texture extension was disabled because an external texture was provided"),tt.__useRenderToTexture=!1)},this.setRenderTargetFramebuffer=function(A,H){let Y=dt.get(A);Y.__webglFramebuffer=H,Y.__useDefaultFramebuffer=H===void 0},this.setRenderTarget=function(A,H=0,Y=0){L=A,T=H,I=Y;let tt=!0,X=null,yt=!1,Lt=!1;if(A){let Gt=dt.get(A);if(Gt.__useDefaultFramebuffer!==void 0)rt.bindFramebuffer(D.FRAMEBUFFER,null),tt=!1;else if(Gt.__webglFramebuffer===void 0)R.setupRenderTarget(A);else if(Gt.__hasExternalTextures)R.rebindTextures(A,dt.get(A.texture).__webglTexture,dt.get(A.depthTexture).__webglTexture);else if(A.depthBuffer){let Xt=A.depthTexture;if(Gt.__boundDepthTexture!==Xt){if(Xt!==null&&dt.has(Xt)&&(A.width!==Xt.image.width||A.height!==Xt.image.height))throw new Error("WebGLRenderTarget: Attached DepthTexture is initialized to the incorrect size.");R.setupDepthRenderbuffer(A)}}let Qt=A.texture;(Qt.isData3DTexture||Qt.isDataArrayTexture||Qt.isCompressedArrayTexture)&&(Lt=!0);let ne=dt.get(A).__webglFramebuffer;A.isWebGLCubeRenderTarget?(Array.isArray(ne[H])?X=ne[H][Y]:X=ne[H],yt=!0):A.samples>0&&R.useMultisampledRTT(A)===!1?X=dt.get(A).__webglMultisampledFramebuffer:Array.isArray(ne)?X=ne[Y]:X=ne,C.copy(A.viewport),F.copy(A.scissor),B=A.scissorTest}else C.copy(ft).multiplyScalar($).floor(),F.copy(_t).multiplyScalar($).floor(),B=$t;if(rt.bindFramebuffer(D.FRAMEBUFFER,X)&&tt&&rt.drawBuffers(A,X),rt.viewport(C),rt.scissor(F),rt.setScissorTest(B),yt){let Gt=dt.get(A.texture);D.framebufferTexture2D(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0,D.TEXTURE_CUBE_MAP_POSITIVE_X+H,Gt.__webglTexture,Y)}else if(Lt){let Gt=dt.get(A.texture),Qt=H||0;D.framebufferTextureLayer(D.FRAMEBUFFER,D.COLOR_ATTACHMENT0,Gt.__webglTexture,Y||0,Qt)}b=-1},this.readRenderTargetPixels=function(A,H,Y,tt,X,yt,Lt){if(!(A&&A.isWebGLRenderTarget)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let Wt=dt.get(A).__webglFramebuffer;if(A.isWebGLCubeRenderTarget&&Lt!==void 0&&(Wt=Wt[Lt]),Wt){rt.bindFramebuffer(D.FRAMEBUFFER,Wt);try{let Gt=A.texture,Qt=Gt.format,ne=Gt.type;if(!ct.textureFormatReadable(Qt)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(!ct.textureTypeReadable(ne)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}H>=0&&H<=A.width-tt&&Y>=0&&Y<=A.height-X&&D.readPixels(H,Y,tt,X,ee.convert(Qt),ee.convert(ne),yt)}finally{let Gt=L!==null?dt.get(L).__webglFramebuffer:null;rt.bindFramebuffer(D.FRAMEBUFFER,Gt)}}},this.readRenderTargetPixelsAsync=async function(A,H,Y,tt,X,yt,Lt){if(!(A&&A.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let Wt=dt.get(A).__webglFramebuffer;if(A.isWebGLCubeRenderTarget&&Lt!==void 0&&(Wt=Wt[Lt]),Wt){let Gt=A.texture,Qt=Gt.format,ne=Gt.type;if(!ct.textureFormatReadable(Qt))throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(!ct.textureTypeReadable(ne))throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");if(H>=0&&H<=A.width-tt&&Y>=0&&Y<=A.height-X){rt.bindFramebuffer(D.FRAMEBUFFER,Wt);let Xt=D.createBuffer();D.bindBuffer(D.PIXEL_PACK_BUFFER,Xt),D.bufferData(D.PIXEL_PACK_BUFFER,yt.byteLength,D.STREAM_READ),D.readPixels(H,Y,tt,X,ee.convert(Qt),ee.convert(ne),0);let fe=L!==null?dt.get(L).__webglFramebuffer:null;rt.bindFramebuffer(D.FRAMEBUFFER,fe);let we=D.fenceSync(D.SYNC_GPU_COMMANDS_COMPLETE,0);return D.flush(),await av(D,we,4),D.bindBuffer(D.PIXEL_PACK_BUFFER,Xt),D.getBufferSubData(D.PIXEL_PACK_BUFFER,0,yt),D.deleteBuffer(Xt),D.deleteSync(we),yt}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")}},this.copyFramebufferToTexture=function(A,H=null,Y=0){A.isTexture!==!0&&(Io("WebGLRenderer: copyFramebufferToTexture function signature has changed."),H=arguments[0]||null,A=arguments[1]);let tt=Math.pow(2,-Y),X=Math.floor(A.image.width*tt),yt=Math.floor(A.image.height*tt),Lt=H!==null?H.x:0,Wt=H!==null?H.y:0;R.setTexture2D(A,0),D.copyTexSubImage2D(D.TEXTURE_2D,Y,0,0,Lt,Wt,X,yt),rt.unbindTexture()},this.copyTextureToTexture=function(A,H,Y=null,tt=null,X=0){A.isTexture!==!0&&(Io("WebGLRenderer: copyTextureToTexture function signature has changed."),tt=arguments[0]||null,A=arguments[1],H=arguments[2],X=arguments[3]||0,Y=null);let yt,Lt,Wt,Gt,Qt,ne,Xt,fe,we,Ae=A.isCompressedTexture?A.mipmaps[X]:A.image;Y!==null?(yt=Y.max.x-Y.min.x,Lt=Y.max.y-Y.min.y,Wt=Y.isBox3?Y.max.z-Y.min.z:1,Gt=Y.min.x,Qt=Y.min.y,ne=Y.isBox3?Y.min.z:0):(yt=Ae.width,Lt=Ae.height,Wt=Ae.depth||1,Gt=0,Qt=0,ne=0),tt!==null?(Xt=tt.x,fe=tt.y,we=tt.z):(Xt=0,fe=0,we=0);let cn=ee.convert(H.format),_e=ee.convert(H.type),Vt;H.isData3DTexture?(R.setTexture3D(H,0),Vt=D.TEXTURE_3D):H.isDataArrayTexture||H.isCompressedArrayTexture?(R.setTexture2DArray(H,0),Vt=D.TEXTURE_2D_ARRAY):(R.setTexture2D(H,0),Vt=D.TEXTURE_2D),D.pixelStorei(D.UNPACK_FLIP_Y_WEBGL,H.flipY),D.pixelStorei(D.UNPACK_PREMULTIPLY_ALPHA_WEBGL,H.premultiplyAlpha),D.pixelStorei(D.UNPACK_ALIGNMENT,H.unpackAlignment);let $n=D.getParameter(D.UNPACK_ROW_LENGTH),ve=D.getParameter(D.UNPACK_IMAGE_HEIGHT),wn=D.getParameter(D.UNPACK_SKIP_PIXELS),Vi=D.getParameter(D.UNPACK_SKIP_ROWS),En=D.getParameter(D.UNPACK_SKIP_IMAGES);D.pixelStorei(D.UNPACK_ROW_LENGTH,Ae.width),D.pixelStorei(D.UNPACK_IMAGE_HEIGHT,Ae.height),D.pixelStorei(D.UNPACK_SKIP_PIXELS,Gt),D.pixelStorei(D.UNPACK_SKIP_ROWS,Qt),D.pixelStorei(D.UNPACK_SKIP_IMAGES,ne);let Ps=A.isDataArrayTexture||A.isData3DTexture,Le=H.isDataArrayTexture||H.isData3DTexture;if(A.isRenderTargetTexture||A.isDepthTexture){let Bn=dt.get(A),rs=dt.get(H),Dn=dt.get(Bn.__renderTarget),ai=dt.get(rs.__renderTarget);rt.bindFramebuffer(D.READ_FRAMEBUFFER,Dn.__webglFramebuffer),rt.bindFramebuffer(D.DRAW_FRAMEBUFFER,ai.__webglFramebuffer);for(let Zn=0;Zn<Wt;Zn++)Ps&&D.framebufferTextureLayer(D.READ_FRAMEBUFFER,D.COLOR_ATTACHMENT0,dt.get(A).__webglTexture,X,ne+Zn),A.isDepthTexture?(Le&&D.framebufferTextureLayer(D.DRAW_FRAMEBUFFER,D.COLOR_ATTACHMENT0,dt.get(H).__webglTexture,X,we+Zn),D.blitFramebuffer(Gt,Qt,yt,Lt,Xt,fe,yt,Lt,D.DEPTH_BUFFER_BIT,D.NEAREST)):Le?D.copyTexSubImage3D(Vt,X,Xt,fe,we+Zn,Gt,Qt,yt,Lt):D.copyTexSubImage2D(Vt,X,Xt,fe,we+Zn,Gt,Qt,yt,Lt);rt.bindFramebuffer(D.READ_FRAMEBUFFER,null),rt.bindFramebuffer(D.DRAW_FRAMEBUFFER,null)}else Le?A.isDataTexture||A.isData3DTexture?D.texSubImage3D(Vt,X,Xt,fe,we,yt,Lt,Wt,cn,_e,Ae.data):H.isCompressedArrayTexture?D.compressedTexSubImage3D(Vt,X,Xt,fe,we,yt,Lt,Wt,cn,Ae.data):D.texSubImage3D(Vt,X,Xt,fe,we,yt,Lt,Wt,cn,_e,Ae):A.isDataTexture?D.texSubImage2D(D.TEXTURE_2D,X,Xt,fe,yt,Lt,cn,_e,Ae.data):A.isCompressedTexture?D.compressedTexSubImage2D(D.TEXTURE_2D,X,Xt,fe,Ae.width,Ae.height,cn,Ae.data):D.texSubImage2D(D.TEXTURE_2D,X,Xt,fe,yt,Lt,cn,_e,Ae);D.pixelStorei(D.UNPACK_ROW_LENGTH,$n),D.pixelStorei(D.UNPACK_IMAGE_HEIGHT,ve),D.pixelStorei(D.UNPACK_SKIP_PIXELS,wn),D.pixelStorei(D.UNPACK_SKIP_ROWS,Vi),D.pixelStorei(D.UNPACK_SKIP_IMAGES,En),X===0&&H.generateMipmaps&&D.generateMipmap(Vt),rt.unbindTexture()},this.copyTextureToTexture3D=function(A,H,Y=null,tt=null,X=0){return A.isTexture!==!0&&(Io("WebGLRenderer: copyTextureToTexture3D function signature has changed."),Y=arguments[0]||null,tt=arguments[1]||null,A=arguments[2],H=arguments[3],X=arguments[4]||0),Io('WebGLRenderer: copyTextureToTexture3D function has been deprecated. Use "copyTextureToTexture" instead.'),this.copyTextureToTexture(A,H,Y,tt,X)},this.initRenderTarget=function(A){dt.get(A).__webglFramebuffer===void 0&&R.setupRenderTarget(A)},this.initTexture=function(A){A.isCubeTexture?R.setTextureCube(A,0):A.isData3DTexture?R.setTexture3D(A,0):A.isDataArrayTexture||A.isCompressedArrayTexture?R.setTexture2DArray(A,0):R.setTexture2D(A,0),rt.unbindTexture()},this.resetState=function(){T=0,I=0,L=null,rt.reset(),Se.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return Qi}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorspace=ge._getDrawingBufferColorSpace(t),e.unpackColorSpace=ge._getUnpackColorSpace()}},Sl=class extends ri{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new is,this.environmentIntensity=1,this.environmentRotation=new is,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),t.background!==null&&(this.background=t.background.clone()),t.environment!==null&&(this.environment=t.environment.clone()),t.fog!==null&&(this.fog=t.fog.clone()),this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),t.overrideMaterial!==null&&(this.overrideMaterial=t.overrideMaterial.clone()),this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),this.backgroundBlurriness>0&&(e.object.backgroundBlurriness=this.backgroundBlurriness),this.backgroundIntensity!==1&&(e.object.backgroundIntensity=this.backgroundIntensity),e.object.backgroundRotation=this.backgroundRotation.toArray(),this.environmentIntensity!==1&&(e.object.environmentIntensity=this.environmentIntensity),e.object.environmentRotation=this.environmentRotation.toArray(),e}},wu=class{constructor(t,e){this.isInterleavedBuffer=!0,this.array=t,this.stride=e,this.count=t!==void 0?t.length/e:0,this.usage=au,this.updateRanges=[],this.version=0,this.uuid=Ii()}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.array=new t.array.constructor(t.array),this.count=t.count,this.stride=t.stride,this.usage=t.usage,this}copyAt(t,e,n){t*=this.stride,n*=e.stride;for(let s=0,r=this.stride;s<r;s++)this.array[t+s]=e.array[n+s];return this}set(t,e=0){return this.array.set(t,e),this}clone(t){t.arrayBuffers===void 0&&(t.arrayBuffers={}),this.array.buffer._uuid===void 0&&(this.array.buffer._uuid=Ii()),t.arrayBuffers[this.array.buffer._uuid]===void 0&&(t.arrayBuffers[this.array.buffer._uuid]=this.array.slice(0).buffer);let e=new this.array.constructor(t.arrayBuffers[this.array.buffer._uuid]),n=new this.constructor(e,this.stride);return n.setUsage(this.usage),n}onUpload(t){return this.onUploadCallback=t,this}toJSON(t){return t.arrayBuffers===void 0&&(t.arrayBuffers={}),this.array.buffer._uuid===void 0&&(this.array.buffer._uuid=Ii()),t.arrayBuffers[this.array.buffer._uuid]===void 0&&(t.arrayBuffers[this.array.buffer._uuid]=Array.from(new Uint32Array(this.array.buffer))),{uuid:this.uuid,buffer:this.array.buffer._uuid,type:this.array.constructor.name,stride:this.stride}}},Rn=new O,Di=class i{constructor(t,e,n,s=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=t,this.itemSize=e,this.offset=n,this.normalized=s}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(t){this.data.needsUpdate=t}applyMatrix4(t){for(let e=0,n=this.data.count;e<n;e++)Rn.fromBufferAttribute(this,e),Rn.applyMatrix4(t),this.setXYZ(e,Rn.x,Rn.y,Rn.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)Rn.fromBufferAttribute(this,e),Rn.applyNormalMatrix(t),this.setXYZ(e,Rn.x,Rn.y,Rn.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)Rn.fromBufferAttribute(this,e),Rn.transformDirection(t),this.setXYZ(e,Rn.x,Rn.y,Rn.z);return this}getComponent(t,e){let n=this.array[t*this.data.stride+this.offset+e];return this.normalized&&(n=_i(n,this.array)),n}setComponent(t,e,n){return this.normalized&&(n=Te(n,this.array)),this.data.array[t*this.data.stride+this.offset+e]=n,this}setX(t,e){return this.normalized&&(e=Te(e,this.array)),this.data.array[t*this.data.stride+this.offset]=e,this}setY(t,e){return this.normalized&&(e=Te(e,this.array)),this.data.array[t*this.data.stride+this.offset+1]=e,this}setZ(t,e){return this.normalized&&(e=Te(e,this.array)),this.data.array[t*this.data.stride+this.offset+2]=e,this}setW(t,e){return this.normalized&&(e=Te(e,this.array)),this.data.array[t*this.data.stride+this.offset+3]=e,this}getX(t){let e=this.data.array[t*this.data.stride+this.offset];return this.normalized&&(e=_i(e,this.array)),e}getY(t){let e=this.data.array[t*this.data.stride+this.offset+1];return this.normalized&&(e=_i(e,this.array)),e}getZ(t){let e=this.data.array[t*this.data.stride+this.offset+2];return this.normalized&&(e=_i(e,this.array)),e}getW(t){let e=this.data.array[t*this.data.stride+this.offset+3];return this.normalized&&(e=_i(e,this.array)),e}setXY(t,e,n){return t=t*this.data.stride+this.offset,this.normalized&&(e=Te(e,this.array),n=Te(n,this.array)),this.data.array[t+0]=e,this.data.array[t+1]=n,this}setXYZ(t,e,n,s){return t=t*this.data.stride+this.offset,this.normalized&&(e=Te(e,this.array),n=Te(n,this.array),s=Te(s,this.array)),this.data.array[t+0]=e,this.data.array[t+1]=n,this.data.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t=t*this.data.stride+this.offset,this.normalized&&(e=Te(e,this.array),n=Te(n,this.array),s=Te(s,this.array),r=Te(r,this.array)),this.data.array[t+0]=e,this.data.array[t+1]=n,this.data.array[t+2]=s,this.data.array[t+3]=r,this}clone(t){if(t===void 0){console.log("THREE.InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");let e=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)e.push(this.data.array[s+r])}return new Yn(new this.array.constructor(e),this.itemSize,this.normalized)}else return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.clone(t)),new i(t.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(t){if(t===void 0){console.log("THREE.InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.");let e=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)e.push(this.data.array[s+r])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:e,normalized:this.normalized}}else return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.toJSON(t)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}},Ho=class extends Qs{static get type(){return"LineBasicMaterial"}constructor(t){super(),this.isLineBasicMaterial=!0,this.color=new xe(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},bl=new O,wl=new O,Sm=new Oe,Po=new hl,Ya=new Li,_h=new O,bm=new O,Eu=class extends ri{constructor(t=new Ye,e=new Ho){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)bl.fromBufferAttribute(e,s-1),wl.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=bl.distanceTo(wl);t.setAttribute("lineDistance",new oe(n,1))}else console.warn("THREE.Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Ya.copy(n.boundingSphere),Ya.applyMatrix4(s),Ya.radius+=r,t.ray.intersectsSphere(Ya)===!1)return;Sm.copy(s).invert(),Po.copy(t.ray).applyMatrix4(Sm);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,u=n.attributes.position;if(h!==null){let p=Math.max(0,o.start),g=Math.min(h.count,o.start+o.count);for(let x=p,m=g-1;x<m;x+=c){let d=h.getX(x),E=h.getX(x+1),M=$a(this,t,Po,l,d,E);M&&e.push(M)}if(this.isLineLoop){let x=h.getX(g-1),m=h.getX(p),d=$a(this,t,Po,l,x,m);d&&e.push(d)}}else{let p=Math.max(0,o.start),g=Math.min(u.count,o.start+o.count);for(let x=p,m=g-1;x<m;x+=c){let d=$a(this,t,Po,l,x,x+1);d&&e.push(d)}if(this.isLineLoop){let x=$a(this,t,Po,l,g-1,p);x&&e.push(x)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};wm=new O,Em=new O,El=class extends Eu{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)wm.fromBufferAttribute(e,s),Em.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+wm.distanceTo(Em);t.setAttribute("lineDistance",new oe(n,1))}else console.warn("THREE.LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}},oi=class{constructor(){this.type="Curve",this.arcLengthDivisions=200}getPoint(){return console.warn("THREE.Curve: .getPoint() not implemented."),null}getPointAt(t,e){let n=this.getUtoTmapping(t);return this.getPoint(n,e)}getPoints(t=5){let e=[];for(let n=0;n<=t;n++)e.push(this.getPoint(n/t));return e}getSpacedPoints(t=5){let e=[];for(let n=0;n<=t;n++)e.push(this.getPointAt(n/t));return e}getLength(){let t=this.getLengths();return t[t.length-1]}getLengths(t=this.arcLengthDivisions){if(this.cacheArcLengths&&this.cacheArcLengths.length===t+1&&!this.needsUpdate)return this.cacheArcLengths;this.needsUpdate=!1;let e=[],n,s=this.getPoint(0),r=0;e.push(0);for(let o=1;o<=t;o++)n=this.getPoint(o/t),r+=n.distanceTo(s),e.push(r),s=n;return this.cacheArcLengths=e,e}updateArcLengths(){this.needsUpdate=!0,this.getLengths()}getUtoTmapping(t,e){let n=this.getLengths(),s=0,r=n.length,o;e?o=e:o=t*n[r-1];let a=0,l=r-1,c;for(;a<=l;)if(s=Math.floor(a+(l-a)/2),c=n[s]-o,c<0)a=s+1;else if(c>0)l=s-1;else{l=s;break}if(s=l,n[s]===o)return s/(r-1);let h=n[s],u=n[s+1]-h,p=(o-h)/u;return(s+p)/(r-1)}getTangent(t,e){let s=t-1e-4,r=t+1e-4;s<0&&(s=0),r>1&&(r=1);let o=this.getPoint(s),a=this.getPoint(r),l=e||(o.isVector2?new bt:new O);return l.copy(a).sub(o).normalize(),l}getTangentAt(t,e){let n=this.getUtoTmapping(t);return this.getTangent(n,e)}computeFrenetFrames(t,e){let n=new O,s=[],r=[],o=[],a=new O,l=new Oe;for(let p=0;p<=t;p++){let g=p/t;s[p]=this.getTangentAt(g,new O)}r[0]=new O,o[0]=new O;let c=Number.MAX_VALUE,h=Math.abs(s[0].x),f=Math.abs(s[0].y),u=Math.abs(s[0].z);h<=c&&(c=h,n.set(1,0,0)),f<=c&&(c=f,n.set(0,1,0)),u<=c&&n.set(0,0,1),a.crossVectors(s[0],n).normalize(),r[0].crossVectors(s[0],a),o[0].crossVectors(s[0],r[0]);for(let p=1;p<=t;p++){if(r[p]=r[p-1].clone(),o[p]=o[p-1].clone(),a.crossVectors(s[p-1],s[p]),a.length()>Number.EPSILON){a.normalize();let g=Math.acos(rn(s[p-1].dot(s[p]),-1,1));r[p].applyMatrix4(l.makeRotationAxis(a,g))}o[p].crossVectors(s[p],r[p])}if(e===!0){let p=Math.acos(rn(r[0].dot(r[t]),-1,1));p/=t,s[0].dot(a.crossVectors(r[0],r[t]))>0&&(p=-p);for(let g=1;g<=t;g++)r[g].applyMatrix4(l.makeRotationAxis(s[g],p*g)),o[g].crossVectors(s[g],r[g])}return{tangents:s,normals:r,binormals:o}}clone(){return new this.constructor().copy(this)}copy(t){return this.arcLengthDivisions=t.arcLengthDivisions,this}toJSON(){let t={metadata:{version:4.6,type:"Curve",generator:"Curve.toJSON"}};return t.arcLengthDivisions=this.arcLengthDivisions,t.type=this.type,t}fromJSON(t){return this.arcLengthDivisions=t.arcLengthDivisions,this}},Go=class extends oi{constructor(t=0,e=0,n=1,s=1,r=0,o=Math.PI*2,a=!1,l=0){super(),this.isEllipseCurve=!0,this.type="EllipseCurve",this.aX=t,this.aY=e,this.xRadius=n,this.yRadius=s,this.aStartAngle=r,this.aEndAngle=o,this.aClockwise=a,this.aRotation=l}getPoint(t,e=new bt){let n=e,s=Math.PI*2,r=this.aEndAngle-this.aStartAngle,o=Math.abs(r)<Number.EPSILON;for(;r<0;)r+=s;for(;r>s;)r-=s;r<Number.EPSILON&&(o?r=0:r=s),this.aClockwise===!0&&!o&&(r===s?r=-s:r=r-s);let a=this.aStartAngle+t*r,l=this.aX+this.xRadius*Math.cos(a),c=this.aY+this.yRadius*Math.sin(a);if(this.aRotation!==0){let h=Math.cos(this.aRotation),f=Math.sin(this.aRotation),u=l-this.aX,p=c-this.aY;l=u*h-p*f+this.aX,c=u*f+p*h+this.aY}return n.set(l,c)}copy(t){return super.copy(t),this.aX=t.aX,this.aY=t.aY,this.xRadius=t.xRadius,this.yRadius=t.yRadius,this.aStartAngle=t.aStartAngle,this.aEndAngle=t.aEndAngle,this.aClockwise=t.aClockwise,this.aRotation=t.aRotation,this}toJSON(){let t=super.toJSON();return t.aX=this.aX,t.aY=this.aY,t.xRadius=this.xRadius,t.yRadius=this.yRadius,t.aStartAngle=this.aStartAngle,t.aEndAngle=this.aEndAngle,t.aClockwise=this.aClockwise,t.aRotation=this.aRotation,t}fromJSON(t){return super.fromJSON(t),this.aX=t.aX,this.aY=t.aY,this.xRadius=t.xRadius,this.yRadius=t.yRadius,this.aStartAngle=t.aStartAngle,this.aEndAngle=t.aEndAngle,this.aClockwise=t.aClockwise,this.aRotation=t.aRotation,this}},Au=class extends Go{constructor(t,e,n,s,r,o){super(t,e,n,n,s,r,o),this.isArcCurve=!0,this.type="ArcCurve"}};Za=new O,xh=new Qu,vh=new Qu,yh=new Qu,Wo=class extends oi{constructor(t=[],e=!1,n="centripetal",s=.5){super(),this.isCatmullRomCurve3=!0,this.type="CatmullRomCurve3",this.points=t,this.closed=e,this.curveType=n,this.tension=s}getPoint(t,e=new O){let n=e,s=this.points,r=s.length,o=(r-(this.closed?0:1))*t,a=Math.floor(o),l=o-a;this.closed?a+=a>0?0:(Math.floor(Math.abs(a)/r)+1)*r:l===0&&a===r-1&&(a=r-2,l=1);let c,h;this.closed||a>0?c=s[(a-1)%r]:(Za.subVectors(s[0],s[1]).add(s[0]),c=Za);let f=s[a%r],u=s[(a+1)%r];if(this.closed||a+2<r?h=s[(a+2)%r]:(Za.subVectors(s[r-1],s[r-2]).add(s[r-1]),h=Za),this.curveType==="centripetal"||this.curveType==="chordal"){let p=this.curveType==="chordal"?.5:.25,g=Math.pow(c.distanceToSquared(f),p),x=Math.pow(f.distanceToSquared(u),p),m=Math.pow(u.distanceToSquared(h),p);x<1e-4&&(x=1),g<1e-4&&(g=x),m<1e-4&&(m=x),xh.initNonuniformCatmullRom(c.x,f.x,u.x,h.x,g,x,m),vh.initNonuniformCatmullRom(c.y,f.y,u.y,h.y,g,x,m),yh.initNonuniformCatmullRom(c.z,f.z,u.z,h.z,g,x,m)}else this.curveType==="catmullrom"&&(xh.initCatmullRom(c.x,f.x,u.x,h.x,this.tension),vh.initCatmullRom(c.y,f.y,u.y,h.y,this.tension),yh.initCatmullRom(c.z,f.z,u.z,h.z,this.tension));return n.set(xh.calc(l),vh.calc(l),yh.calc(l)),n}copy(t){super.copy(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(s.clone())}return this.closed=t.closed,this.curveType=t.curveType,this.tension=t.tension,this}toJSON(){let t=super.toJSON();t.points=[];for(let e=0,n=this.points.length;e<n;e++){let s=this.points[e];t.points.push(s.toArray())}return t.closed=this.closed,t.curveType=this.curveType,t.tension=this.tension,t}fromJSON(t){super.fromJSON(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(new O().fromArray(s))}return this.closed=t.closed,this.curveType=t.curveType,this.tension=t.tension,this}};Al=class extends oi{constructor(t=new bt,e=new bt,n=new bt,s=new bt){super(),this.isCubicBezierCurve=!0,this.type="CubicBezierCurve",this.v0=t,this.v1=e,this.v2=n,this.v3=s}getPoint(t,e=new bt){let n=e,s=this.v0,r=this.v1,o=this.v2,a=this.v3;return n.set(Oo(t,s.x,r.x,o.x,a.x),Oo(t,s.y,r.y,o.y,a.y)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this.v3.copy(t.v3),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t.v3=this.v3.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this.v3.fromArray(t.v3),this}},Tu=class extends oi{constructor(t=new O,e=new O,n=new O,s=new O){super(),this.isCubicBezierCurve3=!0,this.type="CubicBezierCurve3",this.v0=t,this.v1=e,this.v2=n,this.v3=s}getPoint(t,e=new O){let n=e,s=this.v0,r=this.v1,o=this.v2,a=this.v3;return n.set(Oo(t,s.x,r.x,o.x,a.x),Oo(t,s.y,r.y,o.y,a.y),Oo(t,s.z,r.z,o.z,a.z)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this.v3.copy(t.v3),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t.v3=this.v3.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this.v3.fromArray(t.v3),this}},Tl=class extends oi{constructor(t=new bt,e=new bt){super(),this.isLineCurve=!0,this.type="LineCurve",this.v1=t,this.v2=e}getPoint(t,e=new bt){let n=e;return t===1?n.copy(this.v2):(n.copy(this.v2).sub(this.v1),n.multiplyScalar(t).add(this.v1)),n}getPointAt(t,e){return this.getPoint(t,e)}getTangent(t,e=new bt){return e.subVectors(this.v2,this.v1).normalize()}getTangentAt(t,e){return this.getTangent(t,e)}copy(t){return super.copy(t),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},Cu=class extends oi{constructor(t=new O,e=new O){super(),this.isLineCurve3=!0,this.type="LineCurve3",this.v1=t,this.v2=e}getPoint(t,e=new O){let n=e;return t===1?n.copy(this.v2):(n.copy(this.v2).sub(this.v1),n.multiplyScalar(t).add(this.v1)),n}getPointAt(t,e){return this.getPoint(t,e)}getTangent(t,e=new O){return e.subVectors(this.v2,this.v1).normalize()}getTangentAt(t,e){return this.getTangent(t,e)}copy(t){return super.copy(t),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},Cl=class extends oi{constructor(t=new bt,e=new bt,n=new bt){super(),this.isQuadraticBezierCurve=!0,this.type="QuadraticBezierCurve",this.v0=t,this.v1=e,this.v2=n}getPoint(t,e=new bt){let n=e,s=this.v0,r=this.v1,o=this.v2;return n.set(Fo(t,s.x,r.x,o.x),Fo(t,s.y,r.y,o.y)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},Rl=class extends oi{constructor(t=new O,e=new O,n=new O){super(),this.isQuadraticBezierCurve3=!0,this.type="QuadraticBezierCurve3",this.v0=t,this.v1=e,this.v2=n}getPoint(t,e=new O){let n=e,s=this.v0,r=this.v1,o=this.v2;return n.set(Fo(t,s.x,r.x,o.x),Fo(t,s.y,r.y,o.y),Fo(t,s.z,r.z,o.z)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},Pl=class extends oi{constructor(t=[]){super(),this.isSplineCurve=!0,this.type="SplineCurve",this.points=t}getPoint(t,e=new bt){let n=e,s=this.points,r=(s.length-1)*t,o=Math.floor(r),a=r-o,l=s[o===0?o:o-1],c=s[o],h=s[o>s.length-2?s.length-1:o+1],f=s[o>s.length-3?s.length-1:o+2];return n.set(Am(a,l.x,c.x,h.x,f.x),Am(a,l.y,c.y,h.y,f.y)),n}copy(t){super.copy(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(s.clone())}return this}toJSON(){let t=super.toJSON();t.points=[];for(let e=0,n=this.points.length;e<n;e++){let s=this.points[e];t.points.push(s.toArray())}return t}fromJSON(t){super.fromJSON(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(new bt().fromArray(s))}return this}},Il=Object.freeze({__proto__:null,ArcCurve:Au,CatmullRomCurve3:Wo,CubicBezierCurve:Al,CubicBezierCurve3:Tu,EllipseCurve:Go,LineCurve:Tl,LineCurve3:Cu,QuadraticBezierCurve:Cl,QuadraticBezierCurve3:Rl,SplineCurve:Pl}),Ru=class extends oi{constructor(){super(),this.type="CurvePath",this.curves=[],this.autoClose=!1}add(t){this.curves.push(t)}closePath(){let t=this.curves[0].getPoint(0),e=this.curves[this.curves.length-1].getPoint(1);if(!t.equals(e)){let n=t.isVector2===!0?"LineCurve":"LineCurve3";this.curves.push(new Il[n](e,t))}return this}getPoint(t,e){let n=t*this.getLength(),s=this.getCurveLengths(),r=0;for(;r<s.length;){if(s[r]>=n){let o=s[r]-n,a=this.curves[r],l=a.getLength(),c=l===0?0:1-o/l;return a.getPointAt(c,e)}r++}return null}getLength(){let t=this.getCurveLengths();return t[t.length-1]}updateArcLengths(){this.needsUpdate=!0,this.cacheLengths=null,this.getCurveLengths()}getCurveLengths(){if(this.cacheLengths&&this.cacheLengths.length===this.curves.length)return this.cacheLengths;let t=[],e=0;for(let n=0,s=this.curves.length;n<s;n++)e+=this.curves[n].getLength(),t.push(e);return this.cacheLengths=t,t}getSpacedPoints(t=40){let e=[];for(let n=0;n<=t;n++)e.push(this.getPoint(n/t));return this.autoClose&&e.push(e[0]),e}getPoints(t=12){let e=[],n;for(let s=0,r=this.curves;s<r.length;s++){let o=r[s],a=o.isEllipseCurve?t*2:o.isLineCurve||o.isLineCurve3?1:o.isSplineCurve?t*o.points.length:t,l=o.getPoints(a);for(let c=0;c<l.length;c++){let h=l[c];n&&n.equals(h)||(e.push(h),n=h)}}return this.autoClose&&e.length>1&&!e[e.length-1].equals(e[0])&&e.push(e[0]),e}copy(t){super.copy(t),this.curves=[];for(let e=0,n=t.curves.length;e<n;e++){let s=t.curves[e];this.curves.push(s.clone())}return this.autoClose=t.autoClose,this}toJSON(){let t=super.toJSON();t.autoClose=this.autoClose,t.curves=[];for(let e=0,n=this.curves.length;e<n;e++){let s=this.curves[e];t.curves.push(s.toJSON())}return t}fromJSON(t){super.fromJSON(t),this.autoClose=t.autoClose,this.curves=[];for(let e=0,n=t.curves.length;e<n;e++){let s=t.curves[e];this.curves.push(new Il[s.type]().fromJSON(s))}return this}},tr=class extends Ru{constructor(t){super(),this.type="Path",this.currentPoint=new bt,t&&this.setFromPoints(t)}setFromPoints(t){this.moveTo(t[0].x,t[0].y);for(let e=1,n=t.length;e<n;e++)this.lineTo(t[e].x,t[e].y);return this}moveTo(t,e){return this.currentPoint.set(t,e),this}lineTo(t,e){let n=new Tl(this.currentPoint.clone(),new bt(t,e));return this.curves.push(n),this.currentPoint.set(t,e),this}quadraticCurveTo(t,e,n,s){let r=new Cl(this.currentPoint.clone(),new bt(t,e),new bt(n,s));return this.curves.push(r),this.currentPoint.set(n,s),this}bezierCurveTo(t,e,n,s,r,o){let a=new Al(this.currentPoint.clone(),new bt(t,e),new bt(n,s),new bt(r,o));return this.curves.push(a),this.currentPoint.set(r,o),this}splineThru(t){let e=[this.currentPoint.clone()].concat(t),n=new Pl(e);return this.curves.push(n),this.currentPoint.copy(t[t.length-1]),this}arc(t,e,n,s,r,o){let a=this.currentPoint.x,l=this.currentPoint.y;return this.absarc(t+a,e+l,n,s,r,o),this}absarc(t,e,n,s,r,o){return this.absellipse(t,e,n,n,s,r,o),this}ellipse(t,e,n,s,r,o,a,l){let c=this.currentPoint.x,h=this.currentPoint.y;return this.absellipse(t+c,e+h,n,s,r,o,a,l),this}absellipse(t,e,n,s,r,o,a,l){let c=new Go(t,e,n,s,r,o,a,l);if(this.curves.length>0){let f=c.getPoint(0);f.equals(this.currentPoint)||this.lineTo(f.x,f.y)}this.curves.push(c);let h=c.getPoint(1);return this.currentPoint.copy(h),this}copy(t){return super.copy(t),this.currentPoint.copy(t.currentPoint),this}toJSON(){let t=super.toJSON();return t.currentPoint=this.currentPoint.toArray(),t}fromJSON(t){return super.fromJSON(t),this.currentPoint.fromArray(t.currentPoint),this}},Pu=class i extends Ye{constructor(t=[new bt(0,-.5),new bt(.5,0),new bt(0,.5)],e=12,n=0,s=Math.PI*2){super(),this.type="LatheGeometry",this.parameters={points:t,segments:e,phiStart:n,phiLength:s},e=Math.floor(e),s=rn(s,0,Math.PI*2);let r=[],o=[],a=[],l=[],c=[],h=1/e,f=new O,u=new bt,p=new O,g=new O,x=new O,m=0,d=0;for(let E=0;E<=t.length-1;E++)switch(E){case 0:m=t[E+1].x-t[E].x,d=t[E+1].y-t[E].y,p.x=d*1,p.y=-m,p.z=d*0,x.copy(p),p.normalize(),l.push(p.x,p.y,p.z);break;case t.length-1:l.push(x.x,x.y,x.z);break;default:m=t[E+1].x-t[E].x,d=t[E+1].y-t[E].y,p.x=d*1,p.y=-m,p.z=d*0,g.copy(p),p.x+=x.x,p.y+=x.y,p.z+=x.z,p.normalize(),l.push(p.x,p.y,p.z),x.copy(g)}for(let E=0;E<=e;E++){let M=n+E*h*s,v=Math.sin(M),P=Math.cos(M);for(let T=0;T<=t.length-1;T++){f.x=t[T].x*v,f.y=t[T].y,f.z=t[T].x*P,o.push(f.x,f.y,f.z),u.x=E/e,u.y=T/(t.length-1),a.push(u.x,u.y);let I=l[3*T+0]*v,L=l[3*T+1],b=l[3*T+0]*P;c.push(I,L,b)}}for(let E=0;E<e;E++)for(let M=0;M<t.length-1;M++){let v=M+E*t.length,P=v,T=v+t.length,I=v+t.length+1,L=v+1;r.push(P,T,L),r.push(I,L,T)}this.setIndex(r),this.setAttribute("position",new oe(o,3)),this.setAttribute("uv",new oe(a,2)),this.setAttribute("normal",new oe(c,3))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.points,t.segments,t.phiStart,t.phiLength)}},Ll=class i extends Pu{constructor(t=1,e=1,n=4,s=8){let r=new tr;r.absarc(0,-e/2,t,Math.PI*1.5,0),r.absarc(0,e/2,t,0,Math.PI*.5),super(r.getPoints(n),s),this.type="CapsuleGeometry",this.parameters={radius:t,length:e,capSegments:n,radialSegments:s}}static fromJSON(t){return new i(t.radius,t.length,t.capSegments,t.radialSegments)}},Iu=class i extends Ye{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;s=Math.floor(s),r=Math.floor(r);let h=[],f=[],u=[],p=[],g=0,x=[],m=n/2,d=0;E(),o===!1&&(t>0&&M(!0),e>0&&M(!1)),this.setIndex(h),this.setAttribute("position",new oe(f,3)),this.setAttribute("normal",new oe(u,3)),this.setAttribute("uv",new oe(p,2));function E(){let v=new O,P=new O,T=0,I=(e-t)/n;for(let L=0;L<=r;L++){let b=[],y=L/r,C=y*(e-t)+t;for(let F=0;F<=s;F++){let B=F/s,W=B*l+a,k=Math.sin(W),q=Math.cos(W);P.x=C*k,P.y=-y*n+m,P.z=C*q,f.push(P.x,P.y,P.z),v.set(k,I,q).normalize(),u.push(v.x,v.y,v.z),p.push(B,1-y),b.push(g++)}x.push(b)}for(let L=0;L<s;L++)for(let b=0;b<r;b++){let y=x[b][L],C=x[b+1][L],F=x[b+1][L+1],B=x[b][L+1];(t>0||b!==0)&&(h.push(y,C,B),T+=3),(e>0||b!==r-1)&&(h.push(C,F,B),T+=3)}c.addGroup(d,T,0),d+=T}function M(v){let P=g,T=new bt,I=new O,L=0,b=v===!0?t:e,y=v===!0?1:-1;for(let F=1;F<=s;F++)f.push(0,m*y,0),u.push(0,y,0),p.push(.5,.5),g++;let C=g;for(let F=0;F<=s;F++){let W=F/s*l+a,k=Math.cos(W),q=Math.sin(W);I.x=b*q,I.y=m*y,I.z=b*k,f.push(I.x,I.y,I.z),u.push(0,y,0),T.x=k*.5+.5,T.y=q*.5*y+.5,p.push(T.x,T.y),g++}for(let F=0;F<s;F++){let B=P+F,W=C+F;v===!0?h.push(W,W+1,B):h.push(W+1,W,B),L+=3}c.addGroup(d,L,v===!0?1:2),d+=L}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},Dl=class i extends Iu{constructor(t=1,e=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new i(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},er=class extends tr{constructor(t){super(t),this.uuid=Ii(),this.type="Shape",this.holes=[]}getPointsHoles(t){let e=[];for(let n=0,s=this.holes.length;n<s;n++)e[n]=this.holes[n].getPoints(t);return e}extractPoints(t){return{shape:this.getPoints(t),holes:this.getPointsHoles(t)}}copy(t){super.copy(t),this.holes=[];for(let e=0,n=t.holes.length;e<n;e++){let s=t.holes[e];this.holes.push(s.clone())}return this}toJSON(){let t=super.toJSON();t.uuid=this.uuid,t.holes=[];for(let e=0,n=this.holes.length;e<n;e++){let s=this.holes[e];t.holes.push(s.toJSON())}return t}fromJSON(t){super.fromJSON(t),this.uuid=t.uuid,this.holes=[];for(let e=0,n=t.holes.length;e<n;e++){let s=t.holes[e];this.holes.push(new tr().fromJSON(s))}return this}},cw={triangulate:function(i,t,e=2){let n=t&&t.length,s=n?t[0]*e:i.length,r=eg(i,0,s,e,!0),o=[];if(!r||r.next===r.prev)return o;let a,l,c,h,f,u,p;if(n&&(r=pw(i,t,r,e)),i.length>80*e){a=c=i[0],l=h=i[1];for(let g=e;g<s;g+=e)f=i[g],u=i[g+1],f<a&&(a=f),u<l&&(l=u),f>c&&(c=f),u>h&&(h=u);p=Math.max(c-a,h-l),p=p!==0?32767/p:0}return Xo(r,o,e,a,l,p,0),o}};Ss=class i{static area(t){let e=t.length,n=0;for(let s=e-1,r=0;r<e;s=r++)n+=t[s].x*t[r].y-t[r].x*t[s].y;return n*.5}static isClockWise(t){return i.area(t)<0}static triangulateShape(t,e){let n=[],s=[],r=[];Cm(t),Rm(n,t);let o=t.length;e.forEach(Cm);for(let l=0;l<e.length;l++)s.push(o),o+=e[l].length,Rm(n,e[l]);let a=cw.triangulate(n,s);for(let l=0;l<a.length;l+=3)r.push(a.slice(l,l+3));return r}};Ul=class i extends Ye{constructor(t=new er([new bt(.5,.5),new bt(-.5,.5),new bt(-.5,-.5),new bt(.5,-.5)]),e={}){super(),this.type="ExtrudeGeometry",this.parameters={shapes:t,options:e},t=Array.isArray(t)?t:[t];let n=this,s=[],r=[];for(let a=0,l=t.length;a<l;a++){let c=t[a];o(c)}this.setAttribute("position",new oe(s,3)),this.setAttribute("uv",new oe(r,2)),this.computeVertexNormals();function o(a){let l=[],c=e.curveSegments!==void 0?e.curveSegments:12,h=e.steps!==void 0?e.steps:1,f=e.depth!==void 0?e.depth:1,u=e.bevelEnabled!==void 0?e.bevelEnabled:!0,p=e.bevelThickness!==void 0?e.bevelThickness:.2,g=e.bevelSize!==void 0?e.bevelSize:p-.1,x=e.bevelOffset!==void 0?e.bevelOffset:0,m=e.bevelSegments!==void 0?e.bevelSegments:3,d=e.extrudePath,E=e.UVGenerator!==void 0?e.UVGenerator:Aw,M,v=!1,P,T,I,L;d&&(M=d.getSpacedPoints(h),v=!0,u=!1,P=d.computeFrenetFrames(h,!1),T=new O,I=new O,L=new O),u||(m=0,p=0,g=0,x=0);let b=a.extractPoints(c),y=b.shape,C=b.holes;if(!Ss.isClockWise(y)){y=y.reverse();for(let at=0,et=C.length;at<et;at++){let D=C[at];Ss.isClockWise(D)&&(C[at]=D.reverse())}}let B=Ss.triangulateShape(y,C),W=y;for(let at=0,et=C.length;at<et;at++){let D=C[at];y=y.concat(D)}function k(at,et,D){return et||console.error("THREE.ExtrudeGeometry: vec does not exist"),at.clone().addScaledVector(et,D)}let q=y.length,j=B.length;function $(at,et,D){let vt,st,ct,rt=at.x-et.x,Tt=at.y-et.y,dt=D.x-at.x,R=D.y-at.y,S=rt*rt+Tt*Tt,z=rt*R-Tt*dt;if(Math.abs(z)>Number.EPSILON){let Q=Math.sqrt(S),K=Math.sqrt(dt*dt+R*R),nt=et.x-Tt/Q,It=et.y+rt/Q,St=D.x-R/K,wt=D.y+dt/K,Kt=((St-nt)*R-(wt-It)*dt)/(rt*R-Tt*dt);vt=nt+rt*Kt-at.x,st=It+Tt*Kt-at.y;let gt=vt*vt+st*st;if(gt<=2)return new bt(vt,st);ct=Math.sqrt(gt/2)}else{let Q=!1;rt>Number.EPSILON?dt>Number.EPSILON&&(Q=!0):rt<-Number.EPSILON?dt<-Number.EPSILON&&(Q=!0):Math.sign(Tt)===Math.sign(R)&&(Q=!0),Q?(vt=-Tt,st=rt,ct=Math.sqrt(S)):(vt=rt,st=Tt,ct=Math.sqrt(S/2))}return new bt(vt/ct,st/ct)}let ot=[];for(let at=0,et=W.length,D=et-1,vt=at+1;at<et;at++,D++,vt++)D===et&&(D=0),vt===et&&(vt=0),ot[at]=$(W[at],W[D],W[vt]);let lt=[],ft,_t=ot.concat();for(let at=0,et=C.length;at<et;at++){let D=C[at];ft=[];for(let vt=0,st=D.length,ct=st-1,rt=vt+1;vt<st;vt++,ct++,rt++)ct===st&&(ct=0),rt===st&&(rt=0),ft[vt]=$(D[vt],D[ct],D[rt]);lt.push(ft),_t=_t.concat(ft)}for(let at=0;at<m;at++){let et=at/m,D=p*Math.cos(et*Math.PI/2),vt=g*Math.sin(et*Math.PI/2)+x;for(let st=0,ct=W.length;st<ct;st++){let rt=k(W[st],ot[st],vt);mt(rt.x,rt.y,-D)}for(let st=0,ct=C.length;st<ct;st++){let rt=C[st];ft=lt[st];for(let Tt=0,dt=rt.length;Tt<dt;Tt++){let R=k(rt[Tt],ft[Tt],vt);mt(R.x,R.y,-D)}}}let $t=g+x;for(let at=0;at<q;at++){let et=u?k(y[at],_t[at],$t):y[at];v?(I.copy(P.normals[0]).multiplyScalar(et.x),T.copy(P.binormals[0]).multiplyScalar(et.y),L.copy(M[0]).add(I).add(T),mt(L.x,L.y,L.z)):mt(et.x,et.y,0)}for(let at=1;at<=h;at++)for(let et=0;et<q;et++){let D=u?k(y[et],_t[et],$t):y[et];v?(I.copy(P.normals[at]).multiplyScalar(D.x),T.copy(P.binormals[at]).multiplyScalar(D.y),L.copy(M[at]).add(I).add(T),mt(L.x,L.y,L.z)):mt(D.x,D.y,f/h*at)}for(let at=m-1;at>=0;at--){let et=at/m,D=p*Math.cos(et*Math.PI/2),vt=g*Math.sin(et*Math.PI/2)+x;for(let st=0,ct=W.length;st<ct;st++){let rt=k(W[st],ot[st],vt);mt(rt.x,rt.y,f+D)}for(let st=0,ct=C.length;st<ct;st++){let rt=C[st];ft=lt[st];for(let Tt=0,dt=rt.length;Tt<dt;Tt++){let R=k(rt[Tt],ft[Tt],vt);v?mt(R.x,R.y+M[h-1].y,M[h-1].x+D):mt(R.x,R.y,f+D)}}}Z(),ut();function Z(){let at=s.length/3;if(u){let et=0,D=q*et;for(let vt=0;vt<j;vt++){let st=B[vt];Ft(st[2]+D,st[1]+D,st[0]+D)}et=h+m*2,D=q*et;for(let vt=0;vt<j;vt++){let st=B[vt];Ft(st[0]+D,st[1]+D,st[2]+D)}}else{for(let et=0;et<j;et++){let D=B[et];Ft(D[2],D[1],D[0])}for(let et=0;et<j;et++){let D=B[et];Ft(D[0]+q*h,D[1]+q*h,D[2]+q*h)}}n.addGroup(at,s.length/3-at,0)}function ut(){let at=s.length/3,et=0;Dt(W,et),et+=W.length;for(let D=0,vt=C.length;D<vt;D++){let st=C[D];Dt(st,et),et+=st.length}n.addGroup(at,s.length/3-at,1)}function Dt(at,et){let D=at.length;for(;--D>=0;){let vt=D,st=D-1;st<0&&(st=at.length-1);for(let ct=0,rt=h+m*2;ct<rt;ct++){let Tt=q*ct,dt=q*(ct+1),R=et+vt+Tt,S=et+st+Tt,z=et+st+dt,Q=et+vt+dt;qt(R,S,z,Q)}}}function mt(at,et,D){l.push(at),l.push(et),l.push(D)}function Ft(at,et,D){Pt(at),Pt(et),Pt(D);let vt=s.length/3,st=E.generateTopUV(n,s,vt-3,vt-2,vt-1);te(st[0]),te(st[1]),te(st[2])}function qt(at,et,D,vt){Pt(at),Pt(et),Pt(vt),Pt(et),Pt(D),Pt(vt);let st=s.length/3,ct=E.generateSideWallUV(n,s,st-6,st-3,st-2,st-1);te(ct[0]),te(ct[1]),te(ct[3]),te(ct[1]),te(ct[2]),te(ct[3])}function Pt(at){s.push(l[at*3+0]),s.push(l[at*3+1]),s.push(l[at*3+2])}function te(at){r.push(at.x),r.push(at.y)}}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}toJSON(){let t=super.toJSON(),e=this.parameters.shapes,n=this.parameters.options;return Tw(e,n,t)}static fromJSON(t,e){let n=[];for(let r=0,o=t.shapes.length;r<o;r++){let a=e[t.shapes[r]];n.push(a)}let s=t.options.extrudePath;return s!==void 0&&(t.options.extrudePath=new Il[s.type]().fromJSON(s)),new i(n,t.options)}},Aw={generateTopUV:function(i,t,e,n,s){let r=t[e*3],o=t[e*3+1],a=t[n*3],l=t[n*3+1],c=t[s*3],h=t[s*3+1];return[new bt(r,o),new bt(a,l),new bt(c,h)]},generateSideWallUV:function(i,t,e,n,s,r){let o=t[e*3],a=t[e*3+1],l=t[e*3+2],c=t[n*3],h=t[n*3+1],f=t[n*3+2],u=t[s*3],p=t[s*3+1],g=t[s*3+2],x=t[r*3],m=t[r*3+1],d=t[r*3+2];return Math.abs(a-h)<Math.abs(o-c)?[new bt(o,1-l),new bt(c,1-f),new bt(u,1-g),new bt(x,1-d)]:[new bt(a,1-l),new bt(h,1-f),new bt(p,1-g),new bt(m,1-d)]}};Nl=class i extends Ye{constructor(t=new er([new bt(0,.5),new bt(-.5,-.5),new bt(.5,-.5)]),e=12){super(),this.type="ShapeGeometry",this.parameters={shapes:t,curveSegments:e};let n=[],s=[],r=[],o=[],a=0,l=0;if(Array.isArray(t)===!1)c(t);else for(let h=0;h<t.length;h++)c(t[h]),this.addGroup(a,l,h),a+=l,l=0;this.setIndex(n),this.setAttribute("position",new oe(s,3)),this.setAttribute("normal",new oe(r,3)),this.setAttribute("uv",new oe(o,2));function c(h){let f=s.length/3,u=h.extractPoints(e),p=u.shape,g=u.holes;Ss.isClockWise(p)===!1&&(p=p.reverse());for(let m=0,d=g.length;m<d;m++){let E=g[m];Ss.isClockWise(E)===!0&&(g[m]=E.reverse())}let x=Ss.triangulateShape(p,g);for(let m=0,d=g.length;m<d;m++){let E=g[m];p=p.concat(E)}for(let m=0,d=p.length;m<d;m++){let E=p[m];s.push(E.x,E.y,0),r.push(0,0,1),o.push(E.x,E.y)}for(let m=0,d=x.length;m<d;m++){let E=x[m],M=E[0]+f,v=E[1]+f,P=E[2]+f;n.push(M,v,P),l+=3}}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}toJSON(){let t=super.toJSON(),e=this.parameters.shapes;return Cw(e,t)}static fromJSON(t,e){let n=[];for(let s=0,r=t.shapes.length;s<r;s++){let o=e[t.shapes[s]];n.push(o)}return new i(n,t.curveSegments)}};Fl=class i extends Ye{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));let l=Math.min(o+a,Math.PI),c=0,h=[],f=new O,u=new O,p=[],g=[],x=[],m=[];for(let d=0;d<=n;d++){let E=[],M=d/n,v=0;d===0&&o===0?v=.5/e:d===n&&l===Math.PI&&(v=-.5/e);for(let P=0;P<=e;P++){let T=P/e;f.x=-t*Math.cos(s+T*r)*Math.sin(o+M*a),f.y=t*Math.cos(o+M*a),f.z=t*Math.sin(s+T*r)*Math.sin(o+M*a),g.push(f.x,f.y,f.z),u.copy(f).normalize(),x.push(u.x,u.y,u.z),m.push(T+v,1-M),E.push(c++)}h.push(E)}for(let d=0;d<n;d++)for(let E=0;E<e;E++){let M=h[d][E+1],v=h[d][E],P=h[d+1][E],T=h[d+1][E+1];(d!==0||o>0)&&p.push(M,v,T),(d!==n-1||l<Math.PI)&&p.push(v,P,T)}this.setIndex(p),this.setAttribute("position",new oe(g,3)),this.setAttribute("normal",new oe(x,3)),this.setAttribute("uv",new oe(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}},Ol=class i extends Ye{constructor(t=new Rl(new O(-1,-1,0),new O(-1,1,0),new O(1,1,0)),e=64,n=1,s=8,r=!1){super(),this.type="TubeGeometry",this.parameters={path:t,tubularSegments:e,radius:n,radialSegments:s,closed:r};let o=t.computeFrenetFrames(e,r);this.tangents=o.tangents,this.normals=o.normals,this.binormals=o.binormals;let a=new O,l=new O,c=new bt,h=new O,f=[],u=[],p=[],g=[];x(),this.setIndex(g),this.setAttribute("position",new oe(f,3)),this.setAttribute("normal",new oe(u,3)),this.setAttribute("uv",new oe(p,2));function x(){for(let M=0;M<e;M++)m(M);m(r===!1?e:0),E(),d()}function m(M){h=t.getPointAt(M/e,h);let v=o.normals[M],P=o.binormals[M];for(let T=0;T<=s;T++){let I=T/s*Math.PI*2,L=Math.sin(I),b=-Math.cos(I);l.x=b*v.x+L*P.x,l.y=b*v.y+L*P.y,l.z=b*v.z+L*P.z,l.normalize(),u.push(l.x,l.y,l.z),a.x=h.x+n*l.x,a.y=h.y+n*l.y,a.z=h.z+n*l.z,f.push(a.x,a.y,a.z)}}function d(){for(let M=1;M<=e;M++)for(let v=1;v<=s;v++){let P=(s+1)*(M-1)+(v-1),T=(s+1)*M+(v-1),I=(s+1)*M+v,L=(s+1)*(M-1)+v;g.push(P,T,L),g.push(T,I,L)}}function E(){for(let M=0;M<=e;M++)for(let v=0;v<=s;v++)c.x=M/e,c.y=v/s,p.push(c.x,c.y)}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}toJSON(){let t=super.toJSON();return t.path=this.parameters.path.toJSON(),t}static fromJSON(t){return new i(new Il[t.path.type]().fromJSON(t.path),t.tubularSegments,t.radius,t.radialSegments,t.closed)}},Bl=class extends Ye{constructor(t=null){if(super(),this.type="WireframeGeometry",this.parameters={geometry:t},t!==null){let e=[],n=new Set,s=new O,r=new O;if(t.index!==null){let o=t.attributes.position,a=t.index,l=t.groups;l.length===0&&(l=[{start:0,count:a.count,materialIndex:0}]);for(let c=0,h=l.length;c<h;++c){let f=l[c],u=f.start,p=f.count;for(let g=u,x=u+p;g<x;g+=3)for(let m=0;m<3;m++){let d=a.getX(g+m),E=a.getX(g+(m+1)%3);s.fromBufferAttribute(o,d),r.fromBufferAttribute(o,E),Pm(s,r,n)===!0&&(e.push(s.x,s.y,s.z),e.push(r.x,r.y,r.z))}}}else{let o=t.attributes.position;for(let a=0,l=o.count/3;a<l;a++)for(let c=0;c<3;c++){let h=3*a+c,f=3*a+(c+1)%3;s.fromBufferAttribute(o,h),r.fromBufferAttribute(o,f),Pm(s,r,n)===!0&&(e.push(s.x,s.y,s.z),e.push(r.x,r.y,r.z))}}this.setAttribute("position",new oe(e,3))}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}};oo=class{constructor(t,e,n,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(n),this.sampleValues=e,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,n=this._cachedIndex,s=e[n],r=e[n-1];n:{t:{let o;e:{i:if(!(t<s)){for(let a=n+2;;){if(s===void 0){if(t<r)break i;return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=e[++n],t<s)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=e[--n-1],t>=r)break t}o=n,n=0;break e}break n}for(;n<o;){let a=n+o>>>1;t<e[a]?o=a:n=a+1}if(s=e[n],r=e[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=n[r+o];return e}interpolate_(){throw new Error("call to abstract method")}intervalChanged_(){}},Uu=class extends oo{constructor(t,e,n,s){super(t,e,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:Ap,endingEnd:Ap}}intervalChanged_(t,e,n){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case Tp:r=t,a=2*e-n;break;case Cp:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case Tp:o=t,l=2*n-e;break;case Cp:o=1,l=n+s[1]-s[0];break;default:o=t-1,l=e}let c=(n-e)*.5,h=this.valueSize;this._weightPrev=c/(e-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this._offsetPrev,f=this._offsetNext,u=this._weightPrev,p=this._weightNext,g=(n-e)/(s-e),x=g*g,m=x*g,d=-u*m+2*u*x-u*g,E=(1+u)*m+(-1.5-2*u)*x+(-.5+u)*g+1,M=(-1-p)*m+(1.5+p)*x+.5*g,v=p*m-p*x;for(let P=0;P!==a;++P)r[P]=d*o[h+P]+E*o[c+P]+M*o[l+P]+v*o[f+P];return r}},Nu=class extends oo{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=(n-e)/(s-e),f=1-h;for(let u=0;u!==a;++u)r[u]=o[c+u]*f+o[l+u]*h;return r}},Fu=class extends oo{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t){return this.copySampleValue_(t-1)}},Mi=class{constructor(t,e,n,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=ja(e,this.TimeBufferType),this.values=ja(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,n;if(e.toJSON!==this.toJSON)n=e.toJSON(t);else{n={name:t.name,times:ja(t.times,Array),values:ja(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(n.interpolation=s)}return n.type=t.ValueTypeName,n}InterpolantFactoryMethodDiscrete(t){return new Fu(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new Nu(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new Uu(this.times,this.values,this.getValueSize(),t)}setInterpolation(t){let e;switch(t){case rl:e=this.InterpolantFactoryMethodDiscrete;break;case ou:e=this.InterpolantFactoryMethodLinear;break;case Wc:e=this.InterpolantFactoryMethodSmooth;break}if(e===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return console.warn("THREE.KeyframeTrack:",n),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return rl;case this.InterpolantFactoryMethodLinear:return ou;case this.InterpolantFactoryMethodSmooth:return Wc}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]+=t}return this}scale(t){if(t!==1){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]*=t}return this}trim(t,e){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<t;)++r;for(;o!==-1&&n[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(console.error("THREE.KeyframeTrack: Invalid value size in track.",this),t=!1);let n=this.times,s=this.values,r=n.length;r===0&&(console.error("THREE.KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){console.error("THREE.KeyframeTrack: Time is not a valid number.",this,a,l),t=!1;break}if(o!==null&&o>l){console.error("THREE.KeyframeTrack: Out of order keys.",this,a,l,o),t=!1;break}o=l}if(s!==void 0&&Rw(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){console.error("THREE.KeyframeTrack: Value is not a valid number.",this,a,c),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===Wc,r=t.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=t[a],h=t[a+1];if(c!==h&&(a!==1||c!==t[0]))if(s)l=!0;else{let f=a*n,u=f-n,p=f+n;for(let g=0;g!==n;++g){let x=e[f+g];if(x!==e[u+g]||x!==e[p+g]){l=!0;break}}}if(l){if(a!==o){t[o]=t[a];let f=a*n,u=o*n;for(let p=0;p!==n;++p)e[u+p]=e[f+p]}++o}}if(r>0){t[o]=t[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)e[l+c]=e[a+c];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*n)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),n=this.constructor,s=new n(this.name,t,e);return s.createInterpolant=this.createInterpolant,s}};Mi.prototype.TimeBufferType=Float32Array;Mi.prototype.ValueBufferType=Float32Array;Mi.prototype.DefaultInterpolation=ou;ir=class extends Mi{constructor(t,e,n){super(t,e,n)}};ir.prototype.ValueTypeName="bool";ir.prototype.ValueBufferType=Array;ir.prototype.DefaultInterpolation=rl;ir.prototype.InterpolantFactoryMethodLinear=void 0;ir.prototype.InterpolantFactoryMethodSmooth=void 0;Ou=class extends Mi{};Ou.prototype.ValueTypeName="color";Bu=class extends Mi{};Bu.prototype.ValueTypeName="number";zu=class extends oo{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-e)/(s-e),c=t*a;for(let h=c+a;c!==h;c+=4)yi.slerpFlat(r,0,o,c-a,o,c,l);return r}},zl=class extends Mi{InterpolantFactoryMethodLinear(t){return new zu(this.times,this.values,this.getValueSize(),t)}};zl.prototype.ValueTypeName="quaternion";zl.prototype.InterpolantFactoryMethodSmooth=void 0;sr=class extends Mi{constructor(t,e,n){super(t,e,n)}};sr.prototype.ValueTypeName="string";sr.prototype.ValueBufferType=Array;sr.prototype.DefaultInterpolation=rl;sr.prototype.InterpolantFactoryMethodLinear=void 0;sr.prototype.InterpolantFactoryMethodSmooth=void 0;ku=class extends Mi{};ku.prototype.ValueTypeName="vector";Vu=class{constructor(t,e,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=n,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,f){return c.push(h,f),this},this.removeHandler=function(h){let f=c.indexOf(h);return f!==-1&&c.splice(f,2),this},this.getHandler=function(h){for(let f=0,u=c.length;f<u;f+=2){let p=c[f],g=c[f+1];if(p.global&&(p.lastIndex=0),p.test(h))return g}return null}}},Pw=new Vu,Hu=class{constructor(t){this.manager=t!==void 0?t:Pw,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={}}load(){}loadAsync(t,e){let n=this;return new Promise(function(s,r){n.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}};Hu.DEFAULT_MATERIAL_NAME="__DEFAULT";kl=class extends Ye{constructor(){super(),this.isInstancedBufferGeometry=!0,this.type="InstancedBufferGeometry",this.instanceCount=1/0}copy(t){return super.copy(t),this.instanceCount=t.instanceCount,this}toJSON(){let t=super.toJSON();return t.instanceCount=this.instanceCount,t.isInstancedBufferGeometry=!0,t}},tf="\\[\\]\\.:\\/",Iw=new RegExp("["+tf+"]","g"),ef="[^"+tf+"]",Lw="[^"+tf.replace("\\.","")+"]",Dw=/((?:WC+[\/:])*)/.source.replace("WC",ef),Uw=/(WCOD+)?/.source.replace("WCOD",Lw),Nw=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",ef),Fw=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",ef),Ow=new RegExp("^"+Dw+Uw+Nw+Fw+"$"),Bw=["material","materials","bones","map"],Gu=class{constructor(t,e,n){let s=n||We.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(t,e)}setValue(t,e){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].unbind()}},We=class i{constructor(t,e,n){this.path=e,this.parsedPath=n||i.parseTrackName(e),this.node=i.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,n){return t&&t.isAnimationObjectGroup?new i.Composite(t,e,n):new i(t,e,n)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(Iw,"")}static parseTrackName(t){let e=Ow.exec(t);if(e===null)throw new Error("PropertyBinding: Cannot parse trackName: "+t);let n={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);Bw.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("PropertyBinding: can not parse propertyName from trackName: "+t);return n}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let n=t.skeleton.getBoneByName(e);if(n!==void 0)return n}if(t.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let l=n(a.children);if(l)return l}return null},s=n(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)t[e++]=n[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,n=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=i.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){console.warn("THREE.PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=e.objectIndex;switch(n){case"materials":if(!t.material){console.error("THREE.PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){console.error("THREE.PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){console.error("THREE.PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===c){c=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){console.error("THREE.PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){console.error("THREE.PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[n]===void 0){console.error("THREE.PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[n]}if(c!==void 0){if(t[c]===void 0){console.error("THREE.PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[c]}}let o=t[s];if(o===void 0){let c=e.nodeName;console.error("THREE.PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.needsUpdate!==void 0?a=this.Versioning.NeedsUpdate:t.matrixWorldNeedsUpdate!==void 0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){console.error("THREE.PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){console.error("THREE.PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};We.Composite=Gu;We.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};We.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};We.prototype.GetterByBindingType=[We.prototype._getValue_direct,We.prototype._getValue_array,We.prototype._getValue_arrayElement,We.prototype._getValue_toArray];We.prototype.SetterByBindingTypeAndVersioning=[[We.prototype._setValue_direct,We.prototype._setValue_direct_setNeedsUpdate,We.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[We.prototype._setValue_array,We.prototype._setValue_array_setNeedsUpdate,We.prototype._setValue_array_setMatrixWorldNeedsUpdate],[We.prototype._setValue_arrayElement,We.prototype._setValue_arrayElement_setNeedsUpdate,We.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[We.prototype._setValue_fromArray,We.prototype._setValue_fromArray_setNeedsUpdate,We.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];A1=new Float32Array(1),rr=class extends wu{constructor(t,e,n=1){super(t,e),this.isInstancedInterleavedBuffer=!0,this.meshPerAttribute=n}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}clone(t){let e=super.clone(t);return e.meshPerAttribute=this.meshPerAttribute,e}toJSON(t){let e=super.toJSON(t);return e.isInstancedInterleavedBuffer=!0,e.meshPerAttribute=this.meshPerAttribute,e}},Im=new O,Qa=new O,Vl=class{constructor(t=new O,e=new O){this.start=t,this.end=e}set(t,e){return this.start.copy(t),this.end.copy(e),this}copy(t){return this.start.copy(t.start),this.end.copy(t.end),this}getCenter(t){return t.addVectors(this.start,this.end).multiplyScalar(.5)}delta(t){return t.subVectors(this.end,this.start)}distanceSq(){return this.start.distanceToSquared(this.end)}distance(){return this.start.distanceTo(this.end)}at(t,e){return this.delta(e).multiplyScalar(t).add(this.start)}closestPointToPointParameter(t,e){Im.subVectors(t,this.start),Qa.subVectors(this.end,this.start);let n=Qa.dot(Qa),r=Qa.dot(Im)/n;return e&&(r=rn(r,0,1)),r}closestPointToPoint(t,e,n){let s=this.closestPointToPointParameter(t,e);return this.delta(n).multiplyScalar(s).add(this.start)}applyMatrix4(t){return this.start.applyMatrix4(t),this.end.applyMatrix4(t),this}equals(t){return t.start.equals(this.start)&&t.end.equals(this.end)}clone(){return new this.constructor().copy(this)}};typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:Wu}}));typeof window<"u"&&(window.__THREE__?console.warn("WARNING: Multiple instances of Three.js being imported."):window.__THREE__=Wu)});var lo,nf=yr(()=>{Zo();Et.line={worldUnits:{value:1},linewidth:{value:1},resolution:{value:new bt(1,1)},dashOffset:{value:0},dashScale:{value:1},dashSize:{value:1},gapSize:{value:1}};Ln.line={uniforms:Wl.merge([Et.common,Et.fog,Et.line]),vertexShader:`
		#include <common>
		#include <color_pars_vertex>
		#include <fog_pars_vertex>
		#include <logdepthbuf_pars_vertex>
		#include <clipping_planes_pars_vertex>

		uniform float linewidth;
		uniform vec2 resolution;

		attribute vec3 instanceStart;
		attribute vec3 instanceEnd;

		attribute vec3 instanceColorStart;
		attribute vec3 instanceColorEnd;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#ifdef USE_DASH

			uniform float dashScale;
			attribute float instanceDistanceStart;
			attribute float instanceDistanceEnd;
			varying float vLineDistance;

		#endif

		void trimSegment( const in vec4 start, inout vec4 end ) {

			// trim end segment so it terminates between the camera plane and the near plane

			// conservative estimate of the near plane
			float a = projectionMatrix[ 2 ][ 2 ]; // 3nd entry in 3th column
			float b = projectionMatrix[ 3 ][ 2 ]; // 3nd entry in 4th column
			float nearEstimate = - 0.5 * b / a;

			float alpha = ( nearEstimate - start.z ) / ( end.z - start.z );

			end.xyz = mix( start.xyz, end.xyz, alpha );

		}

		void main() {

			#ifdef USE_COLOR

				vColor.xyz = ( position.y < 0.5 ) ? instanceColorStart : instanceColorEnd;

			#endif

			#ifdef USE_DASH

				vLineDistance = ( position.y < 0.5 ) ? dashScale * instanceDistanceStart : dashScale * instanceDistanceEnd;
				vUv = uv;

			#endif

			float aspect = resolution.x / resolution.y;

			// camera space
			vec4 start = modelViewMatrix * vec4( instanceStart, 1.0 );
			vec4 end = modelViewMatrix * vec4( instanceEnd, 1.0 );

			#ifdef WORLD_UNITS

				worldStart = start.xyz;
				worldEnd = end.xyz;

			#else

				vUv = uv;

			#endif

			// special case for perspective projection, and segments that terminate either in, or behind, the camera plane
			// clearly the gpu firmware has a way of addressing this issue when projecting into ndc space
			// but we need to perform ndc-space calculations in the shader, so we must address this issue directly
			// perhaps there is a more elegant solution -- WestLangley

			bool perspective = ( projectionMatrix[ 2 ][ 3 ] == - 1.0 ); // 4th entry in the 3rd column

			if ( perspective ) {

				if ( start.z < 0.0 && end.z >= 0.0 ) {

					trimSegment( start, end );

				} else if ( end.z < 0.0 && start.z >= 0.0 ) {

					trimSegment( end, start );

				}

			}

			// clip space
			vec4 clipStart = projectionMatrix * start;
			vec4 clipEnd = projectionMatrix * end;

			// ndc space
			vec3 ndcStart = clipStart.xyz / clipStart.w;
			vec3 ndcEnd = clipEnd.xyz / clipEnd.w;

			// direction
			vec2 dir = ndcEnd.xy - ndcStart.xy;

			// account for clip-space aspect ratio
			dir.x *= aspect;
			dir = normalize( dir );

			#ifdef WORLD_UNITS

				vec3 worldDir = normalize( end.xyz - start.xyz );
				vec3 tmpFwd = normalize( mix( start.xyz, end.xyz, 0.5 ) );
				vec3 worldUp = normalize( cross( worldDir, tmpFwd ) );
				vec3 worldFwd = cross( worldDir, worldUp );
				worldPos = position.y < 0.5 ? start: end;

				// height offset
				float hw = linewidth * 0.5;
				worldPos.xyz += position.x < 0.0 ? hw * worldUp : - hw * worldUp;

				// don't extend the line if we're rendering dashes because we
				// won't be rendering the endcaps
				#ifndef USE_DASH

					// cap extension
					worldPos.xyz += position.y < 0.5 ? - hw * worldDir : hw * worldDir;

					// add width to the box
					worldPos.xyz += worldFwd * hw;

					// endcaps
					if ( position.y > 1.0 || position.y < 0.0 ) {

						worldPos.xyz -= worldFwd * 2.0 * hw;

					}

				#endif

				// project the worldpos
				vec4 clip = projectionMatrix * worldPos;

				// shift the depth of the projected points so the line
				// segments overlap neatly
				vec3 clipPose = ( position.y < 0.5 ) ? ndcStart : ndcEnd;
				clip.z = clipPose.z * clip.w;

			#else

				vec2 offset = vec2( dir.y, - dir.x );
				// undo aspect ratio adjustment
				dir.x /= aspect;
				offset.x /= aspect;

				// sign flip
				if ( position.x < 0.0 ) offset *= - 1.0;

				// endcaps
				if ( position.y < 0.0 ) {

					offset += - dir;

				} else if ( position.y > 1.0 ) {

					offset += dir;

				}

				// adjust for linewidth
				offset *= linewidth;

				// adjust for clip-space to screen-space conversion // maybe resolution should be based on viewport ...
				offset /= resolution.y;

				// select end
				vec4 clip = ( position.y < 0.5 ) ? clipStart : clipEnd;

				// back to clip space
				offset *= clip.w;

				clip.xy += offset;

			#endif

			gl_Position = clip;

			vec4 mvPosition = ( position.y < 0.5 ) ? start : end; // this is an approximation

			#include <logdepthbuf_vertex>
			#include <clipping_planes_vertex>
			#include <fog_vertex>

		}
		`,fragmentShader:`
		uniform vec3 diffuse;
		uniform float opacity;
		uniform float linewidth;

		#ifdef USE_DASH

			uniform float dashOffset;
			uniform float dashSize;
			uniform float gapSize;

		#endif

		varying float vLineDistance;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#include <common>
		#include <color_pars_fragment>
		#include <fog_pars_fragment>
		#include <logdepthbuf_pars_fragment>
		#include <clipping_planes_pars_fragment>

		vec2 closestLineToLine(vec3 p1, vec3 p2, vec3 p3, vec3 p4) {

			float mua;
			float mub;

			vec3 p13 = p1 - p3;
			vec3 p43 = p4 - p3;

			vec3 p21 = p2 - p1;

			float d1343 = dot( p13, p43 );
			float d4321 = dot( p43, p21 );
			float d1321 = dot( p13, p21 );
			float d4343 = dot( p43, p43 );
			float d2121 = dot( p21, p21 );

			float denom = d2121 * d4343 - d4321 * d4321;

			float numer = d1343 * d4321 - d1321 * d4343;

			mua = numer / denom;
			mua = clamp( mua, 0.0, 1.0 );
			mub = ( d1343 + d4321 * ( mua ) ) / d4343;
			mub = clamp( mub, 0.0, 1.0 );

			return vec2( mua, mub );

		}

		void main() {

			#include <clipping_planes_fragment>

			#ifdef USE_DASH

				if ( vUv.y < - 1.0 || vUv.y > 1.0 ) discard; // discard endcaps

				if ( mod( vLineDistance + dashOffset, dashSize + gapSize ) > dashSize ) discard; // todo - FIX

			#endif

			float alpha = opacity;

			#ifdef WORLD_UNITS

				// Find the closest points on the view ray and the line segment
				vec3 rayEnd = normalize( worldPos.xyz ) * 1e5;
				vec3 lineDir = worldEnd - worldStart;
				vec2 params = closestLineToLine( worldStart, worldEnd, vec3( 0.0, 0.0, 0.0 ), rayEnd );

				vec3 p1 = worldStart + lineDir * params.x;
				vec3 p2 = rayEnd * params.y;
				vec3 delta = p1 - p2;
				float len = length( delta );
				float norm = len / linewidth;

				#ifndef USE_DASH

					#ifdef USE_ALPHA_TO_COVERAGE

						float dnorm = fwidth( norm );
						alpha = 1.0 - smoothstep( 0.5 - dnorm, 0.5 + dnorm, norm );

					#else

						if ( norm > 0.5 ) {

							discard;

						}

					#endif

				#endif

			#else

				#ifdef USE_ALPHA_TO_COVERAGE

					// artifacts appear on some hardware if a derivative is taken within a conditional
					float a = vUv.x;
					float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
					float len2 = a * a + b * b;
					float dlen = fwidth( len2 );

					if ( abs( vUv.y ) > 1.0 ) {

						alpha = 1.0 - smoothstep( 1.0 - dlen, 1.0 + dlen, len2 );

					}

				#else

					if ( abs( vUv.y ) > 1.0 ) {

						float a = vUv.x;
						float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
						float len2 = a * a + b * b;

						if ( len2 > 1.0 ) discard;

					}

				#endif

			#endif

			vec4 diffuseColor = vec4( diffuse, alpha );

			#include <logdepthbuf_fragment>
			#include <color_fragment>

			gl_FragColor = vec4( diffuseColor.rgb, alpha );

			#include <tonemapping_fragment>
			#include <colorspace_fragment>
			#include <fog_fragment>
			#include <premultiplied_alpha_fragment>

		}
		`};lo=class extends On{static get type(){return"LineMaterial"}constructor(t){super({uniforms:Wl.clone(Ln.line.uniforms),vertexShader:Ln.line.vertexShader,fragmentShader:Ln.line.fragmentShader,clipping:!0}),this.isLineMaterial=!0,this.setValues(t)}get color(){return this.uniforms.diffuse.value}set color(t){this.uniforms.diffuse.value=t}get worldUnits(){return"WORLD_UNITS"in this.defines}set worldUnits(t){t===!0?this.defines.WORLD_UNITS="":delete this.defines.WORLD_UNITS}get linewidth(){return this.uniforms.linewidth.value}set linewidth(t){this.uniforms.linewidth&&(this.uniforms.linewidth.value=t)}get dashed(){return"USE_DASH"in this.defines}set dashed(t){t===!0!==this.dashed&&(this.needsUpdate=!0),t===!0?this.defines.USE_DASH="":delete this.defines.USE_DASH}get dashScale(){return this.uniforms.dashScale.value}set dashScale(t){this.uniforms.dashScale.value=t}get dashSize(){return this.uniforms.dashSize.value}set dashSize(t){this.uniforms.dashSize.value=t}get dashOffset(){return this.uniforms.dashOffset.value}set dashOffset(t){this.uniforms.dashOffset.value=t}get gapSize(){return this.uniforms.gapSize.value}set gapSize(t){this.uniforms.gapSize.value=t}get opacity(){return this.uniforms.opacity.value}set opacity(t){this.uniforms&&(this.uniforms.opacity.value=t)}get resolution(){return this.uniforms.resolution.value}set resolution(t){this.uniforms.resolution.value.copy(t)}get alphaToCoverage(){return"USE_ALPHA_TO_COVERAGE"in this.defines}set alphaToCoverage(t){this.defines&&(t===!0!==this.alphaToCoverage&&(this.needsUpdate=!0),t===!0?this.defines.USE_ALPHA_TO_COVERAGE="":delete this.defines.USE_ALPHA_TO_COVERAGE)}}});var sg,Yl,co,sf=yr(()=>{Zo();sg=new si,Yl=new O,co=class extends kl{constructor(){super(),this.isLineSegmentsGeometry=!0,this.type="LineSegmentsGeometry";let t=[-1,2,0,1,2,0,-1,1,0,1,1,0,-1,0,0,1,0,0,-1,-1,0,1,-1,0],e=[-1,2,1,2,-1,1,1,1,-1,-1,1,-1,-1,-2,1,-2],n=[0,2,1,2,3,1,2,4,3,4,5,3,4,6,5,6,7,5];this.setIndex(n),this.setAttribute("position",new oe(t,3)),this.setAttribute("uv",new oe(e,2))}applyMatrix4(t){let e=this.attributes.instanceStart,n=this.attributes.instanceEnd;return e!==void 0&&(e.applyMatrix4(t),n.applyMatrix4(t),e.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}setPositions(t){let e;t instanceof Float32Array?e=t:Array.isArray(t)&&(e=new Float32Array(t));let n=new rr(e,6,1);return this.setAttribute("instanceStart",new Di(n,3,0)),this.setAttribute("instanceEnd",new Di(n,3,3)),this.instanceCount=this.attributes.instanceStart.count,this.computeBoundingBox(),this.computeBoundingSphere(),this}setColors(t){let e;t instanceof Float32Array?e=t:Array.isArray(t)&&(e=new Float32Array(t));let n=new rr(e,6,1);return this.setAttribute("instanceColorStart",new Di(n,3,0)),this.setAttribute("instanceColorEnd",new Di(n,3,3)),this}fromWireframeGeometry(t){return this.setPositions(t.attributes.position.array),this}fromEdgesGeometry(t){return this.setPositions(t.attributes.position.array),this}fromMesh(t){return this.fromWireframeGeometry(new Bl(t.geometry)),this}fromLineSegments(t){let e=t.geometry;return this.setPositions(e.attributes.position.array),this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new si);let t=this.attributes.instanceStart,e=this.attributes.instanceEnd;t!==void 0&&e!==void 0&&(this.boundingBox.setFromBufferAttribute(t),sg.setFromBufferAttribute(e),this.boundingBox.union(sg))}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Li),this.boundingBox===null&&this.computeBoundingBox();let t=this.attributes.instanceStart,e=this.attributes.instanceEnd;if(t!==void 0&&e!==void 0){let n=this.boundingSphere.center;this.boundingBox.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)Yl.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(Yl)),Yl.fromBufferAttribute(e,r),s=Math.max(s,n.distanceToSquared(Yl));this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&console.error("THREE.LineSegmentsGeometry.computeBoundingSphere(): Computed radius is NaN. The instanced position data is likely to have NaN values.",this)}}toJSON(){}applyMatrix(t){return console.warn("THREE.LineSegmentsGeometry: applyMatrix() has been renamed to applyMatrix4()."),this.applyMatrix4(t)}}});function lg(i,t,e){return Ni.set(0,0,-t,1).applyMatrix4(i.projectionMatrix),Ni.multiplyScalar(1/Ni.w),Ni.x=or/e.width,Ni.y=or/e.height,Ni.applyMatrix4(i.projectionMatrixInverse),Ni.multiplyScalar(1/Ni.w),Math.abs(Math.max(Ni.x,Ni.y))}function zw(i,t){let e=i.matrixWorld,n=i.geometry,s=n.attributes.instanceStart,r=n.attributes.instanceEnd,o=Math.min(n.instanceCount,s.count);for(let a=0,l=o;a<l;a++){vn.start.fromBufferAttribute(s,a),vn.end.fromBufferAttribute(r,a),vn.applyMatrix4(e);let c=new O,h=new O;Fi.distanceSqToSegment(vn.start,vn.end,h,c),h.distanceTo(c)<or*.5&&t.push({point:h,pointOnLine:c,distance:Fi.origin.distanceTo(h),object:i,face:null,faceIndex:a,uv:null,uv1:null})}}function kw(i,t,e){let n=t.projectionMatrix,r=i.material.resolution,o=i.matrixWorld,a=i.geometry,l=a.attributes.instanceStart,c=a.attributes.instanceEnd,h=Math.min(a.instanceCount,l.count),f=-t.near;Fi.at(1,Ui),Ui.w=1,Ui.applyMatrix4(t.matrixWorldInverse),Ui.applyMatrix4(n),Ui.multiplyScalar(1/Ui.w),Ui.x*=r.x/2,Ui.y*=r.y/2,Ui.z=0,of.copy(Ui),af.multiplyMatrices(t.matrixWorldInverse,o);for(let u=0,p=h;u<p;u++){if(_n.fromBufferAttribute(l,u),xn.fromBufferAttribute(c,u),_n.w=1,xn.w=1,_n.applyMatrix4(af),xn.applyMatrix4(af),_n.z>f&&xn.z>f)continue;if(_n.z>f){let M=_n.z-xn.z,v=(_n.z-f)/M;_n.lerp(xn,v)}else if(xn.z>f){let M=xn.z-_n.z,v=(xn.z-f)/M;xn.lerp(_n,v)}_n.applyMatrix4(n),xn.applyMatrix4(n),_n.multiplyScalar(1/_n.w),xn.multiplyScalar(1/xn.w),_n.x*=r.x/2,_n.y*=r.y/2,xn.x*=r.x/2,xn.y*=r.y/2,vn.start.copy(_n),vn.start.z=0,vn.end.copy(xn),vn.end.z=0;let x=vn.closestPointToPointParameter(of,!0);vn.at(x,ag);let m=qm.lerp(_n.z,xn.z,x),d=m>=-1&&m<=1,E=of.distanceTo(ag)<or*.5;if(d&&E){vn.start.fromBufferAttribute(l,u),vn.end.fromBufferAttribute(c,u),vn.start.applyMatrix4(o),vn.end.applyMatrix4(o);let M=new O,v=new O;Fi.distanceSqToSegment(vn.start,vn.end,v,M),e.push({point:v,pointOnLine:M,distance:Fi.origin.distanceTo(v),object:i,face:null,faceIndex:u,uv:null,uv1:null})}}}var rf,rg,og,_n,xn,Ui,of,af,vn,ag,$l,Zl,Ni,Fi,or,Jl,cg=yr(()=>{Zo();sf();nf();rf=new Fe,rg=new O,og=new O,_n=new Fe,xn=new Fe,Ui=new Fe,of=new O,af=new Oe,vn=new Vl,ag=new O,$l=new si,Zl=new Li,Ni=new Fe;Jl=class extends bn{constructor(t=new co,e=new lo({color:Math.random()*16777215})){super(t,e),this.isLineSegments2=!0,this.type="LineSegments2"}computeLineDistances(){let t=this.geometry,e=t.attributes.instanceStart,n=t.attributes.instanceEnd,s=new Float32Array(2*e.count);for(let o=0,a=0,l=e.count;o<l;o++,a+=2)rg.fromBufferAttribute(e,o),og.fromBufferAttribute(n,o),s[a]=a===0?0:s[a-1],s[a+1]=s[a]+rg.distanceTo(og);let r=new rr(s,2,1);return t.setAttribute("instanceDistanceStart",new Di(r,1,0)),t.setAttribute("instanceDistanceEnd",new Di(r,1,1)),this}raycast(t,e){let n=this.material.worldUnits,s=t.camera;s===null&&!n&&console.error('LineSegments2: "Raycaster.camera" needs to be set in order to raycast against LineSegments2 while worldUnits is set to false.');let r=t.params.Line2!==void 0&&t.params.Line2.threshold||0;Fi=t.ray;let o=this.matrixWorld,a=this.geometry,l=this.material;or=l.linewidth+r,a.boundingSphere===null&&a.computeBoundingSphere(),Zl.copy(a.boundingSphere).applyMatrix4(o);let c;if(n)c=or*.5;else{let f=Math.max(s.near,Zl.distanceToPoint(Fi.origin));c=lg(s,f,l.resolution)}if(Zl.radius+=c,Fi.intersectsSphere(Zl)===!1)return;a.boundingBox===null&&a.computeBoundingBox(),$l.copy(a.boundingBox).applyMatrix4(o);let h;if(n)h=or*.5;else{let f=Math.max(s.near,$l.distanceToPoint(Fi.origin));h=lg(s,f,l.resolution)}$l.expandByScalar(h),Fi.intersectsBox($l)!==!1&&(n?zw(this,e):kw(this,s,e))}onBeforeRender(t){let e=this.material.uniforms;e&&e.resolution&&(t.getViewport(rf),this.material.uniforms.resolution.value.set(rf.z,rf.w))}}});var mg={};Qg(mg,{spaceView:()=>Zw});function lf(i,t,e){let n=e.clone().sub(t).normalize(),s=new yi().setFromUnitVectors(Vw,n);return i.applyQuaternion(s).translate(...t.clone().add(e).multiplyScalar(.5).toArray())}function Hw({ends:i,profile:t,caps:e,hatched:n},s){let r=s?24:8,[o,a]=i.map(ss),l=o.distanceTo(a);if(e){let x=t[0][1];return{solid:lf(new Ll(x,l,s?4:2,s?18:8),o,a)}}let c=[[t[0][0],0],...t,[t[t.length-1][0],0]],h=[],f=[],u=[],p=[];for(let x=0;x+1<c.length;x++){let[[m,d],[E,M]]=[c[x],c[x+1]],v=new bt((E-m)*l,d-M).normalize();for(let P=0;P<r;P++){let T=h.length/3;for(let I of[P,P+1])for(let[L,b]of[[m,d],[E,M]]){let y=2*Math.PI*I/r,C=Math.cos(y),F=Math.sin(y);h.push(b*C,(L-.5)*l,b*F),f.push(v.x*C,v.y,v.x*F),p.push(n&&P%4<2?1:0)}u.push(T,T+1,T+2,T+2,T+1,T+3)}}let g=new Ye;return g.setAttribute("position",new oe(h,3)),g.setAttribute("normal",new oe(f,3)),g.setIndex(u),{solid:lf(g,o,a),stripes:n?p:null}}function Gw({middle:i,axes:t,outline:e,window:n,thick:s}){let r=h=>h.map(([f,u])=>new bt(f,u)),o=new er(r(e)),a=new Oe().makeBasis(...t.map(ss)).setPosition(...i);n&&o.holes.push(new tr(r(n)));let l=.14*s,c=new Ul(o,{depth:s-2*l,bevelSize:l,bevelThickness:l,bevelOffset:-l,bevelSegments:1,curveSegments:1});return c.translate(0,0,l-.5*s).applyMatrix4(a),{solid:c,glass:n?new Nl(new er(r(n))).applyMatrix4(a):null}}function Ww({points:i,triangles:t}){let e=new Ye,n=t.flat().flatMap(s=>i[s]);return e.setAttribute("position",new oe(n,3)),e.computeVertexNormals(),{glass:e}}function Xw({points:i,triangles:t}){let e=new Ye;return e.setAttribute("position",new oe(i.flat(),3)),e.setIndex(t.flat()),e.computeVertexNormals(),{solid:e}}function pg({points:i,radius:t}){let e=i.length>2?i:[i[0],i[0].map((s,r)=>.5*(s+i[1][r])),i[1]],n=new Wo(e.map(ss));return{solid:new Ol(n,Math.max(e.length,Math.min(32,2*e.length)),t,7)}}function qw(i){let[t,e]=i.head.map(ss),n=lf(new Dl(i.wide,t.distanceTo(e),18),t,e);return{solids:[pg(i).solid,n]}}function ug(i){let t=[],e=[],n=[],s=[];for(let{geometry:o,part:a,stripes:l}of i){let c=t.length/3,h=o.attributes.position.count;for(let f of o.attributes.position.array)t.push(f);for(let f of o.attributes.normal.array)e.push(f);if(o.index)for(let f of o.index.array)n.push(c+f);else for(let f=0;f<h;f++)n.push(c+f);s.push({first:c,count:h,part:a,stripes:l})}let r=new Ye;return r.setAttribute("position",new oe(t,3)),r.setAttribute("normal",new oe(e,3)),r.setAttribute("color",new oe(new Float32Array(t.length),3)),r.setIndex(n),{geometry:r,spans:s}}function Zw({data:i,poses:t,colors:e,frames:n,changed:s}){ge.enabled=!1;let r=new Ml({antialias:!1,powerPreference:"high-performance"});r.outputColorSpace=Es;let o=new Sl,a=(et,D,vt={})=>new On({fragmentShader:et,vertexShader:D,...vt}),l=a(dg.replace("ALPHA","1.0"),fg,{vertexColors:!0}),c=a(dg.replace("ALPHA","0.34"),fg.replace(/float bright[^]*bright - 0.98\);/,"float bright = 1.0;"),{vertexColors:!0,transparent:!0,side:gi,depthWrite:!1}),h=a($w,Yw,{depthWrite:!1,uniforms:{tint:{value:new xe}}}),f=i.owners.map((et,D)=>{let vt=[],st=[],ct=[];for(let dt of i.parts.filter(R=>R.owner===D)){let{solid:R,solids:S,glass:z,stripes:Q}=hg[dt.form](dt,!0);for(let K of S||(R?[R]:[]))vt.push({geometry:K,part:dt,stripes:Q}),dt.form!=="arrow"&&dt.form!=="tube"&&ct.push({geometry:hg[dt.form](dt,!1).solid,part:dt});z&&st.push({geometry:z,part:dt})}let rt=[];for(let[dt,R]of[[vt,l],[st,c]])if(dt.length){let{geometry:S,spans:z}=ug(dt),Q=new bn(S,R);Q.matrixAutoUpdate=Q.frustumCulled=!1,o.add(Q),rt.push({mesh:Q,spans:z})}let Tt=null;return ct.length&&(Tt=new bn(ug(ct).geometry,h),Tt.matrixAutoUpdate=Tt.frustumCulled=!1,Tt.renderOrder=-1,o.add(Tt)),{made:rt,shadow:Tt}}),{cloud:u,low:p,high:g}=la(i,t,n),x=ss(p).add(ss(g)).multiplyScalar(.5),m=.5*ss(p).distanceTo(ss(g))+2*i.r,d=Math.min(i.ground,p[2]-1.2*i.r),E=new Oe().set(1,0,-Kl[0],Kl[0]*d,0,1,-Kl[1],Kl[1]*d,0,0,0,d,0,0,0,1),M=i.unit.meters/i.size,v=ca(m/4/M)*M,P=9,T=[],I=[];for(let et=-P;et<=P;et++)for(let D=-P;D<P;D++)for(let vt of[!1,!0])for(let st of[D,D+1]){let[ct,rt]=vt?[et,st]:[st,et];T.push(x.x+ct*v,x.y+rt*v,d-.02*i.r),I.push(Math.min(1,(ct*ct+rt*rt)/(P*P)))}let L=new Ye;L.setAttribute("position",new oe(T,3)),L.setAttribute("color",new oe(new Float32Array(T.length),3));let b=new El(L,new Ho({vertexColors:!0,depthWrite:!1}));b.renderOrder=-2,o.add(b);let y=new In(24,1,.01,100),C=new Vo,F={turn:0,rise:0,far:1,at:x.clone(),flat:!1},B=y,W=1,k=1,q=1,j=0,$=0,ot=0,lt=[],ft=!0,_t=Ue("svg",{class:"axes",viewBox:"-40 -40 80 80","aria-hidden":"true"}),$t=["x","y","z"].map(et=>{let D=[Ue("line",{class:`axis ${et}`}),Ue("text",{class:`axis ${et}`,text:et})];return _t.append(...D),D}),Z=document.createElement("div");Z.className="drawing",Z.append(r.domElement,_t);function ut(){let et=Math.cos(F.rise);return new O(et*Math.cos(F.turn),et*Math.sin(F.turn),Math.sin(F.rise))}function Dt(){let et=ut();if(B=F.flat?C:y,B.up.set(0,0,1),Math.abs(F.rise)>1.57&&B.up.set(-Math.cos(F.turn),-Math.sin(F.turn),0).multiplyScalar(Math.sign(F.rise)),B.position.copy(F.at).addScaledVector(et,F.flat?8*m:F.far),F.flat){let st=F.far*Math.tan(y.fov*Math.PI/360);Object.assign(C,{top:st,bottom:-st,right:st*W/k,left:-st*W/k,near:.01*m,far:40*m})}else Object.assign(y,{aspect:W/k,near:Math.max(.02*m,F.far-6*m),far:F.far+14*m});B.lookAt(F.at),B.updateProjectionMatrix(),B.updateMatrixWorld();let D=new O().setFromMatrixColumn(B.matrixWorld,0),vt=new O().setFromMatrixColumn(B.matrixWorld,1);$t.forEach(([st,ct],rt)=>{let Tt=new O().setComponent(rt,1),dt=24*Tt.dot(D),R=-24*Tt.dot(vt);st.setAttribute("x2",dt),st.setAttribute("y2",R),ct.setAttribute("x",1.35*dt),ct.setAttribute("y",1.35*R)}),$=performance.now(),s()}function mt(et,D,vt){Object.assign(F,{turn:et,rise:D,flat:vt,at:x.clone()}),Ft()}function Ft(){ft=!0,F.at.copy(x),F.far=4*m,B=F.flat?C:y;let et=ut(),D=new O(-Math.sin(F.turn),Math.cos(F.turn),0),vt=new O().crossVectors(et,D),st=Math.tan(y.fov*Math.PI/360),ct=3.5*i.r,rt=W/k,Tt=new O,dt=.1*m;for(let R of u){Tt.set(...R).sub(x);let S=F.flat?0:Tt.dot(et),z=[(Math.abs(Tt.dot(vt))+ct)/.92,(Math.abs(Tt.dot(D))+ct)/(.96*rt)];dt=Math.max(dt,S+Math.max(...z)/st)}F.far=dt,Dt()}let qt=()=>Math.min(2,Math.max(1,devicePixelRatio));function Pt(et){et!==q&&(q=et,r.setPixelRatio(q),r.setSize(W,k,!1))}let te=new xe,at={element:Z,presets:[["Iso",()=>mt(-1.05,.42,!1)],["Front",()=>mt(-Math.PI/2,0,!0)],["Side",()=>mt(0,0,!0)],["Top",()=>mt(-Math.PI/2,Math.PI/2,!0)]],fit:Ft,resize(et,D){[W,k]=[Math.max(1,et),Math.max(1,D)],r.setPixelRatio(q),r.setSize(W,k,!1);for(let vt of lt)vt.material.resolution.set(W,k);ft?Ft():Dt()},show(et,D,vt){if(D||vt-$<120){let st=vt-j;st<250&&Pt(st>40?Math.max(.5,.8*q):st<20?Math.min(qt(),1.05*q):q)}clearTimeout(ot),!D&&q!==qt()&&(ot=setTimeout(()=>{Pt(qt()),s()},160)),j=vt,f.forEach(({made:st,shadow:ct},rt)=>{let[Tt,dt,R,S,z,Q,K,nt]=t.row(rt,et),It=new Oe().compose(new O(Tt,dt,R),new yi(S,z,Q,K),new O(nt,1,1));for(let{mesh:St}of st)St.matrix.copy(It),St.matrixWorldNeedsUpdate=!0;ct&&(ct.matrix.multiplyMatrices(E,It),ct.matrixWorldNeedsUpdate=!0)}),r.render(o,B)},recolor(et){f.forEach(({made:ct},rt)=>{let Tt=et(rt);for(let{mesh:dt,spans:R}of ct){let S=dt.geometry.attributes.color;for(let{first:z,count:Q,part:K,stripes:nt}of R){let It=e.tone(K.tone,Tt),St=e.tone(["paper",0],!1);for(let wt=0;wt<Q;wt++){let[Kt,gt,At]=nt&&nt[wt]?St:It;S.setXYZ(z+wt,Kt/255,gt/255,At/255)}}S.needsUpdate=!0}});let[D,vt]=[e.neutral("paper"),e.neutral("ink")],st=D.map((ct,rt)=>ct+(e.dark?0:.035)*(vt[rt]-ct));r.setClearColor(te.setRGB(...st.map(ct=>ct/255))),h.uniforms.tint.value.setRGB(...st.map((ct,rt)=>(ct+(e.dark?-.45*ct:.075*(vt[rt]-ct)))/255)),I.forEach((ct,rt)=>{let Tt=(1-ct)*.11;L.attributes.color.setXYZ(rt,...st.map((dt,R)=>(dt+Tt*(vt[R]-dt))/255))}),L.attributes.color.needsUpdate=!0},trace(et){for(let D of lt)o.remove(D),D.geometry.dispose(),D.material.dispose();lt=et.map(({points:D,color:vt})=>{let st=[],ct=null;D.forEach((R,S)=>{R[0]===null||!ct||ct[0]===null?ct=R:(S+1===D.length||D[S+1][0]===null||Math.hypot(...R.map((z,Q)=>z-ct[Q]))>.003)&&(st.push(...ct,...R),ct=R)});let rt=new co;rt.setPositions(st.length?st:[0,0,0,0,0,0]);let Tt=new lo({linewidth:2.2});Tt.color.setRGB(...vt.map(R=>R/255)),Tt.resolution.set(W,k);let dt=new Jl(rt,Tt);return dt.frustumCulled=!1,o.add(dt),dt})},project(et){let D=ss(et).project(B);return[.5*(1+D.x)*W,.5*(1-D.y)*k]},drag(et,D){F.turn-=.008*et,F.rise=Math.min(Math.max(F.rise+.008*D,-Math.PI/2),Math.PI/2),[F.flat,ft]=[!1,!1],Dt()},pan(et,D){let vt=2*F.far*Math.tan(y.fov*Math.PI/360)/k;F.at.addScaledVector(new O().setFromMatrixColumn(B.matrixWorld,0),-vt*et),F.at.addScaledVector(new O().setFromMatrixColumn(B.matrixWorld,1),vt*D),ft=!1,Dt()},zoom(et){F.far=Math.min(Math.max(F.far/et,.15*m),40*m),ft=!1,Dt()},reach:1.6*i.r,perUnit:()=>k/(2*F.far*Math.tan(y.fov*Math.PI/360)),picture(et){return Pt(2),this.show(et,!1,performance.now()),r.domElement.toDataURL("image/png")}};return Object.assign(F,{turn:-1.05,rise:.42}),at}var Vw,Kl,ss,hg,fg,Yw,dg,$w,gg=yr(()=>{Zo();nf();cg();sf();Ci();Vw=new O(0,1,0),Kl=[.18,.1],ss=i=>new O(...i);hg={ball:({at:i,radius:t},e)=>({solid:new Fl(t,e?18:8,e?12:6).translate(...i)}),lathe:Hw,plate:Gw,glass:Ww,surface:Xw,tube:pg,arrow:qw};fg=`
varying vec3 seen;
void main() {
  vec3 side = normalize(mat3(modelViewMatrix) * normal);
  float above = normalize(mat3(modelMatrix) * normal).z;
  float bright = 0.73 + 0.07 * above + 0.3 * dot(side, vec3(-0.42, 0.70, 0.58));
  if (bright > 0.98) bright = 0.98 + 0.3 * (bright - 0.98);
  seen = color * bright;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`,Yw="void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",dg="varying vec3 seen; void main() { gl_FragColor = vec4(seen, ALPHA); }",$w="uniform vec3 tint; void main() { gl_FragColor = vec4(tint, 1.0); }"});Ci();var n0=[11,4.5],i0=1.5;function s0([i,t],[e,n]){let s=Math.hypot(e-i,n-t),[r,o]=[(e-i)/s,(n-t)/s],[a,l]=n0,[c,h]=[e-a*r,n-a*o];return`${s>a?`M${i} ${t}L${c} ${h}`:""}M${e} ${n}L${c-l*o} ${h+l*r}L${c+l*o} ${h-l*r}Z`}function Gf({data:i}){let t=Ue("svg",{class:"arrows","aria-hidden":"true"}),e=i.dimension,n=i.forces.arrows.map(s=>{let[r,o]=["border",s.kind].map(a=>Ue("path",{class:`arrow ${a}`}));return o.setAttribute("data-force",s.name),t.append(r,o),{...s,at:hi(s.at),force:hi(s.force),border:r,made:o}});return{element:t,show(s,{shown:r,factor:o},a){for(let{kind:l,at:c,force:h,border:f,made:u}of n){let p=Array.from(c.subarray(e*s,e*(s+1))),g=p.map((m,d)=>m+o*i.forces.longest*h[e*s+d]),x="";if((r==="all"||r===l)&&g.every(Number.isFinite)){let[m,d]=[a(p),a(g)];Math.hypot(d[0]-m[0],d[1]-m[1])>i0&&(x=s0(m,d))}f.setAttribute("d",x),u.setAttribute("d",x)}}}}Ci();var r0=[[1,0],[-1,0],[0,-1],[0,1],[1,-1],[-1,-1],[1,1],[-1,1]];function Wf(){let i=Rt("div",{class:"labels","aria-hidden":"true"}),t=document.createElement("canvas").getContext("2d");t.font="500 12px system-ui, sans-serif";let e=[];return{element:i,set(n){i.replaceChildren(),e=n.map(({text:s,...r})=>{let o=Rt("span",{class:"name",text:s});return i.append(o),{...r,text:s,made:o,wide:Math.min(t.measureText(s).width+12,220)}})},show(n,s,r,o){let a=[];e.forEach(({made:l,wide:c},h)=>{let[f,u]=n[h],p=[.5*c,9],g=([d,E])=>d-p[0]>=0&&d+p[0]<=r&&E-p[1]>=0&&E+p[1]<=o&&a.every(([M,v,P])=>Math.abs(d-M)>=p[0]+P||Math.abs(E-v)>=18),m=r0.map(([d,E])=>[f+d*(s+p[0]),u+E*(s+p[1])]).find(g);l.style.visibility=m?"":"hidden",m&&(a.push([m[0],m[1],p[0]]),l.style.transform=`translate(${(m[0]-p[0]).toFixed(1)}px, ${(m[1]-p[1]).toFixed(1)}px)`)})}}}Ci();var Xf=i=>{let t="",e="M";for(let[n,s]of i){if(n===null){e="M";continue}t+=`${e}${n} ${s}`,e="L"}return t};function qf({data:i,poses:t,colors:e,frames:n,changed:s}){let r=Ue("svg",{class:"drawing",role:"img","aria-label":i.title}),o=Ue("path",{class:"grid","vector-effect":"non-scaling-stroke",fill:"none"}),a=Ue("path",{class:"grid coarse","vector-effect":"non-scaling-stroke",fill:"none"}),l=Ue("g"),c=Ue("g"),h=Ue("path",{class:"scale",fill:"none"}),f=Ue("text",{class:"scale-text","text-anchor":"middle"});r.append(l,h,f),l.append(o,a);let u=i.parts.map(L=>{let b=L.fill?"Z":"",y=Ue("path",{d:Xf(L.points)+b,fill:"none","stroke-linejoin":"round","stroke-linecap":L.butt?"butt":"round","vector-effect":"non-scaling-stroke","data-shows":L.gid});return l.append(y),{...L,made:y,last:""}}),p=u.find(L=>L.over);l.insertBefore(c,p?p.made:null);let{low:g,high:x}=la(i,t,n),m=1,d=0,E=0,M=1,v=1,P=!0;function T(){let L=5*i.r,b=[0,1].map(y=>x[y]-g[y]+2*L);m=Math.min(M/b[0],Math.max(v-40,.5*v)/b[1]),d=.5*M-.5*m*(g[0]+x[0]),E=.5*v+.5*m*(g[1]+x[1]),P=!0,I()}function I(){l.setAttribute("transform",`matrix(${m} 0 0 ${-m} ${d} ${E})`);let L=i.unit.meters/i.size,b=ca(84/(m*L))*L,y=W=>{let[k,q]=[-d/m,(M-d)/m],[j,$]=[(E-v)/m,E/m],ot=i.center.map(ft=>-ft/i.size),lt="";for(let ft=Math.ceil((k-ot[0])/W);ot[0]+ft*W<q;ft++)lt+=`M${ot[0]+ft*W} ${j}V${$}`;for(let ft=Math.ceil((j-ot[1])/W);ot[1]+ft*W<$;ft++)lt+=`M${k} ${ot[1]+ft*W}H${q}`;return lt};o.setAttribute("d",y(b/2)),a.setAttribute("d",y(b));let C=m*b,F=M-22-C,B=v-20;h.setAttribute("d",`M${F} ${B-5}v5h${C}v-5`),f.setAttribute("x",F+.5*C),f.setAttribute("y",B-9),f.textContent=`${Number((b/L).toPrecision(3))} ${i.unit.name}`,s()}return{element:r,presets:[["Fit",T]],fit:T,resize(L,b){[M,v]=[L,b],r.setAttribute("viewBox",`0 0 ${L} ${b}`),P?T():I()},show(L){for(let b of u){let[y,C,F,B,W]=t.row(b.owner,L),k=`matrix(${F*W} ${B*W} ${-B} ${F} ${y} ${C})`;k!==b.last&&b.made.setAttribute("transform",b.last=k)}},recolor(L){for(let b of u){let y=L(b.owner);b.made.setAttribute("fill",b.fill?kn(e.tone(b.fill,y)):"none"),b.edge&&b.made.setAttribute("stroke",kn(e.tone(b.edge,y))),b.made.setAttribute("stroke-width",1.15*b.width)}},trace(L){c.replaceChildren(...L.flatMap(({points:b,color:y})=>[[e.neutral("paper"),3.8],[y,1.8]].map(([C,F])=>Ue("path",{d:Xf(b),fill:"none",stroke:kn(C),"stroke-width":F,"stroke-linejoin":"round","vector-effect":"non-scaling-stroke"}))))},project:([L,b])=>[d+m*L,E-m*b],drag(L,b){[d,E,P]=[d+L,E+b,!1],I()},pan(L,b){this.drag(L,b)},zoom(L,b,y){let C=Math.min(Math.max(m*L,20),2e5)/m;[d,E,m,P]=[b+C*(d-b),y+C*(E-y),m*C,!1],I()},reach:1.5*i.r,perUnit:()=>m,picture:()=>null}}Ci();var ha=[.1,.25,.5,1,2,4];function Yf({data:i,colors:t,draw:e,times:n,worst:s,lost:r}){let o=n.length,a=n[o-1]-n[0],l={frame:0,playing:!1,loop:!0,speed:1,queued:!1,clock:0,last:0},c=Rt("button",{class:"play",title:"Play or pause (space)","aria-label":"Play",onclick:()=>F()}),h=document.createElementNS("http://www.w3.org/2000/svg","svg");h.setAttribute("viewBox","0 0 16 16");let f=document.createElementNS("http://www.w3.org/2000/svg","path");h.append(f),c.append(h);let u=Math.min(6,Math.max(2,Math.ceil(-Math.log10((a||1)/Math.max(o-1,1))))),p=Rt("output",{class:"clock"}),g=Rt("canvas",{class:"bar","aria-hidden":"true"}),x=Rt("input",{type:"range",min:0,max:o-1,step:1,value:0,"aria-label":"Time",oninput:()=>y(Number(x.value))}),m=Rt("select",{title:"Speed","aria-label":"Speed",onchange:()=>{l.speed=Number(m.value)}},...ha.map(k=>Rt("option",{value:k,text:`${k}\xD7`,...k===1?{selected:""}:{}}))),d=Rt("button",{class:"toggle",title:"Repeat (L)","aria-label":"Repeat","aria-pressed":"true",text:"\u21BB",onclick:()=>B(!l.loop)}),E=i.least,M=r.size?`${r.size===1?"part":"parts"} in red not solved`:"",v=[E?`least conditioning ${mn(E.value,2)}, group ${E.group}, ${mn(E.time)} ${i.clock}`:"",M].filter(Boolean).join(" \xB7 "),P=Rt("div",{class:"told",text:v}),T=Rt("div",{class:"track"},g,x,P);function I(){l.queued||(l.queued=!0,requestAnimationFrame(L))}function L(k){l.queued=!1,l.playing&&(l.clock+=Math.min(.25,(k-l.last)/1e3)*l.speed*i.pace,l.last=k,l.clock>a&&(l.loop&&a>0?l.clock%=a:(l.clock=a,C(!1))),l.frame=b(n[0]+l.clock)),x.value=l.frame,p.textContent=`${n[l.frame].toFixed(u)} / ${n[o-1].toFixed(u)} ${i.clock}`,x.setAttribute("aria-valuetext",`${n[l.frame].toFixed(u)} ${i.clock}`),e(l.frame,l.playing,k),l.playing&&I()}function b(k){let q=0,j=o-1;for(;j-q>1;){let $=q+j>>1;n[$]<=k?q=$:j=$}return k-n[q]<n[j]-k?q:j}function y(k){l.frame=Math.min(Math.max(Math.round(k),0),o-1),l.clock=n[l.frame]-n[0],I()}function C(k){l.playing=k&&o>1,f.setAttribute("d",l.playing?"M4 3h3v10H4zM9 3h3v10H9z":"M5 2.5v11l8.5-5.5z"),c.setAttribute("aria-label",l.playing?"Pause":"Play"),document.body.classList.toggle("playing",l.playing),l.last=performance.now(),I()}function F(){!l.playing&&l.frame===o-1&&y(0),C(!l.playing)}function B(k){l.loop=k,d.setAttribute("aria-pressed",String(k))}function W(){let k=Math.max(1,devicePixelRatio),q=Math.round(g.clientWidth*k),j=Math.round(g.clientHeight*k);if(!q||!j)return;[g.width,g.height]=[q,j];let $=g.getContext("2d");for(let ot=0;ot<q;ot++){let lt=Math.floor(ot/q*o),ft=Math.max(lt+1,Math.floor((ot+1)/q*o)),_t=1/0,$t=!1;for(let ut=lt;ut<ft&&ut<o;ut++)r.has(ut)&&($t=!0),s[ut]>0&&(_t=Math.min(_t,s[ut]));if($.fillStyle=kn($t?t.failed():t.conditioning(_t)),$.fillRect(ot,0,1,j),!$t)continue;$.fillStyle=kn(t.neutral("paper"));let Z=Math.round(5*k);for(let ut=Z-ot%Z;ut<j;ut+=Z)$.fillRect(ot,ut,1,k)}}return C(!1),{element:Rt("footer",{},c,p,T,m,d),state:l,request:I,seek:y,toggle:F,paint:W,setLoop:()=>B(!l.loop),faster(k){let q=ha[Math.min(Math.max(ha.indexOf(l.speed)+k,0),ha.length-1)];l.speed=q,m.value=q}}}var sn="u-",o0="uplot",a0=sn+"hz",l0=sn+"vt",c0=sn+"title",h0=sn+"wrap",u0=sn+"under",f0=sn+"over",d0=sn+"axis",Fs=sn+"off",p0=sn+"select",m0=sn+"cursor-x",g0=sn+"cursor-y",_0=sn+"cursor-pt",x0=sn+"legend",v0=sn+"live",y0=sn+"inline",M0=sn+"series",S0=sn+"marker",$f=sn+"label",b0=sn+"value",yo="width",Mo="height",xo="top",Zf="bottom",Sr="left",fc="right",Cc="#000",Jf=Cc+"0",Kf="mousemove",jf="mousedown",dc="mouseup",Qf="mouseenter",td="mouseleave",ed="dblclick",w0="resize",E0="scroll",nd="change",ma="dppxchange",Rc="--",Pr=typeof window<"u",xc=Pr?document:null,wr=Pr?window:null,A0=Pr?navigator:null,be,ua;function vc(){let i=devicePixelRatio;be!=i&&(be=i,ua&&Mc(nd,ua,vc),ua=matchMedia(`(min-resolution: ${be-.001}dppx) and (max-resolution: ${be+.001}dppx)`),Os(nd,ua,vc),wr.dispatchEvent(new CustomEvent(ma)))}function Vn(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function yc(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function Ve(i,t,e){i.style[t]=e+"px"}function ui(i,t,e,n){let s=xc.createElement(i);return t!=null&&Vn(s,t),e?.insertBefore(s,n),s}function jn(i,t){return ui("div",i,t)}var id=new WeakMap;function Ri(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=id.get(i);r!=o&&(i.style.transform=r,id.set(i,r),t<0||e<0||t>n||e>s?Vn(i,Fs):yc(i,Fs))}var sd=new WeakMap;function rd(i,t,e){let n=t+e,s=sd.get(i);n!=s&&(sd.set(i,n),i.style.background=t,i.style.borderColor=e)}var od=new WeakMap;function ad(i,t,e,n){let s=t+""+e,r=od.get(i);s!=r&&(od.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}var Pc={passive:!0},T0={...Pc,capture:!0};function Os(i,t,e,n){t.addEventListener(i,e,n?T0:Pc)}function Mc(i,t,e,n){t.removeEventListener(i,e,Pc)}Pr&&vc();function fi(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:Hn((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function Er(i,t,e,n){for(let s=n==1?t:e;s>=t&&s<=e;s+=n)if(i[s]!=null)return s;return-1}function C0(i,t,e,n){let s=pe,r=-pe;if(n==1)s=i[t],r=i[e];else if(n==-1)s=i[e],r=i[t];else for(let o=t;o<=e;o++){let a=i[o];a!=null&&(a<s&&(s=a),a>r&&(r=a))}return[s,r]}function R0(i,t,e){let n=pe,s=-pe;for(let r=t;r<=e;r++){let o=i[r];o!=null&&o>0&&(o<n&&(n=o),o>s&&(s=o))}return[n,s]}function xa(i,t,e,n){let s=hd(i),r=hd(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?Gi:Nd,a=s==1?Hn:Qn,l=r==1?Qn:Hn,c=a(o(nn(i))),h=l(o(nn(t))),f=Ar(e,c),u=Ar(e,h);return e==10&&(c<0&&(f=Ne(f,-c)),h<0&&(u=Ne(u,-h))),n||e==2?(i=f*s,t=u*r):(i=Bd(i,f),t=va(t,u)),[i,t]}function Ic(i,t,e,n){let s=xa(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}var Lc=.1,ld={mode:3,pad:Lc},bo={pad:0,soft:null,mode:0},P0={min:bo,max:bo};function ga(i,t,e,n){return ya(e)?cd(i,t,e):(bo.pad=e,bo.soft=n?0:null,bo.mode=n?3:0,cd(i,t,P0))}function Me(i,t){return i??t}function I0(i,t,e){for(t=Me(t,0),e=Me(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function cd(i,t,e){let n=e.min,s=e.max,r=Me(n.pad,0),o=Me(s.pad,0),a=Me(n.hard,-pe),l=Me(s.hard,pe),c=Me(n.soft,pe),h=Me(s.soft,-pe),f=Me(n.mode,0),u=Me(s.mode,0),p=t-i,g=Gi(p),x=yn(nn(i),nn(t)),m=Gi(x),d=nn(m-g);(p<1e-24||d>10)&&(p=0,(i==0||t==0)&&(p=1e-24,f==2&&c!=pe&&(r=0),u==2&&h!=-pe&&(o=0)));let E=p||x||1e3,M=Gi(E),v=Ar(10,Hn(M)),P=E*(p==0?i==0?.1:1:r),T=Ne(Bd(i-P,v/10),24),I=i>=c&&(f==1||f==3&&T<=c||f==2&&T>=c)?c:pe,L=yn(a,T<I&&i>=I?I:ti(I,T)),b=E*(p==0?t==0?.1:1:o),y=Ne(va(t+b,v/10),24),C=t<=h&&(u==1||u==3&&y>=h||u==2&&y<=h)?h:-pe,F=ti(l,y>C&&t<=C?C:yn(C,y));return L==F&&L==0&&(F=100),[L,F]}var L0=new Intl.NumberFormat(Pr?A0.language:"en-US"),Dc=i=>L0.format(i),Gn=Math,pa=Gn.PI,nn=Gn.abs,Hn=Gn.floor,en=Gn.round,Qn=Gn.ceil,ti=Gn.min,yn=Gn.max,Ar=Gn.pow,hd=Gn.sign,Gi=Gn.log10,Nd=Gn.log2,D0=(i,t=1)=>Gn.sinh(i)*t,pc=(i,t=1)=>Gn.asinh(i/t),pe=1/0;function ud(i){return(Gi((i^i>>31)-(i>>31))|0)+1}function Sc(i,t,e){return ti(yn(i,t),e)}function de(i){return typeof i=="function"?i:()=>i}var U0=()=>{},Fd=i=>i,Od=(i,t)=>t,N0=i=>null,fd=i=>!0,dd=(i,t)=>i==t,F0=/\.\d*?(?=9{6,}|0{6,})/gm,Bs=i=>{if(kd(i)||fs.has(i))return i;let t=`${i}`,e=t.match(F0);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${Bs(s)}e${r}`}return Ne(i,n)};function Us(i,t){return Bs(Ne(Bs(i/t))*t)}function va(i,t){return Bs(Qn(Bs(i/t))*t)}function Bd(i,t){return Bs(Hn(Bs(i/t))*t)}function Ne(i,t=0){if(kd(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return en(n)/e}var fs=new Map;function zd(i){return((""+i).split(".")[1]||"").length}function Eo(i,t,e,n){let s=[],r=n.map(zd);for(let o=t;o<e;o++){let a=nn(o),l=Ne(Ar(i,o),a);for(let c=0;c<n.length;c++){let h=i==10?+`${n[c]}e${o}`:n[c]*l,f=(o>=0?0:a)+(o>=r[c]?0:r[c]),u=i==10?h:Ne(h,f);s.push(u),fs.set(u,f)}}return s}var wo={},Uc=[],Tr=[null,null],us=Array.isArray,kd=Number.isInteger,O0=i=>i===void 0;function pd(i){return typeof i=="string"}function ya(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function B0(i){return i!=null&&typeof i=="object"}var z0=Object.getPrototypeOf(Uint8Array),Vd="__proto__";function Cr(i,t=ya){let e;if(us(i)){let n=i.find(s=>s!=null);if(us(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=Cr(i[s],t)}else e=i.slice()}else if(i instanceof z0)e=i.slice();else if(t(i)){e={};for(let n in i)n!=Vd&&(e[n]=Cr(i[n],t))}else e=i;return e}function Qe(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=Vd&&(ya(i[s])?Qe(i[s],Cr(n[s])):i[s]=Cr(n[s]))}return i}var k0=0,V0=1,H0=2;function G0(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function W0(i,t){if(Y0(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return $0(o[0])||(o=q0(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let h=0;h<c;h++)e.add(l[h])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],f=Array(s).fill(void 0),u=t?t[o][c]:V0,p=[];for(let g=0;g<h.length;g++){let x=h[g],m=r.get(l[g]);x===null?u!=k0&&(f[m]=x,u==H0&&p.push(m)):f[m]=x}G0(f,p,s),n.push(f)}}return n}var X0=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function q0(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let l=0;l<e;l++)a[l]=o[n[l]];s.push(a)}return s}function Y0(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function $0(i,t=100){let e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=yn(1,Hn((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){let l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var Hd=["January","February","March","April","May","June","July","August","September","October","November","December"],Gd=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Wd(i){return i.slice(0,3)}var Z0=Gd.map(Wd),J0=Hd.map(Wd),K0={MMMM:Hd,MMM:J0,WWWW:Gd,WWW:Z0};function vo(i){return(i<10?"0":"")+i}function j0(i){return(i<10?"00":i<100?"0":"")+i}var Q0={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>vo(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>vo(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>vo(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>vo(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>vo(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>j0(i.getMilliseconds())};function Nc(i,t){t=t||K0;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?Q0[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}var t_=new Intl.DateTimeFormat().resolvedOptions().timeZone;function e_(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==t_?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}var Xd=i=>i%1==0,_a=[1,2,2.5,5],n_=Eo(10,-32,0,_a),qd=Eo(10,0,32,_a),i_=qd.filter(Xd),Ns=n_.concat(qd),Fc=`
`,Yd="{YYYY}",md=Fc+Yd,$d="{M}/{D}",So=Fc+$d,fa=So+"/{YY}",Zd="{aa}",s_="{h}:{mm}",br=s_+Zd,gd=Fc+br,_d=":{ss}",Ee=null;function Jd(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,l=(i==1?Eo(10,0,3,_a).filter(Xd):Eo(10,-3,0,_a)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,Yd,Ee,Ee,Ee,Ee,Ee,Ee,1],[s*28,"{MMM}",md,Ee,Ee,Ee,Ee,Ee,1],[s,$d,md,Ee,Ee,Ee,Ee,Ee,1],[n,"{h}"+Zd,fa,Ee,So,Ee,Ee,Ee,1],[e,br,fa,Ee,So,Ee,Ee,Ee,1],[t,_d,fa+" "+br,Ee,So+" "+br,Ee,gd,Ee,1],[i,_d+".{fff}",fa+" "+br,Ee,So+" "+br,Ee,gd,Ee,1]];function h(f){return(u,p,g,x,m,d)=>{let E=[],M=m>=o,v=m>=r&&m<o,P=f(g),T=Ne(P*i,3),I=mc(P.getFullYear(),M?0:P.getMonth(),v||M?1:P.getDate()),L=Ne(I*i,3);if(v||M){let b=v?m/r:0,y=M?m/o:0,C=T==L?T:Ne(mc(I.getFullYear()+y,I.getMonth()+b,1)*i,3),F=new Date(en(C/i)),B=F.getFullYear(),W=F.getMonth();for(let k=0;C<=x;k++){let q=mc(B+y*k,W+b*k,1),j=q-f(Ne(q*i,3));C=Ne((+q+j)*i,3),C<=x&&E.push(C)}}else{let b=m>=s?s:m,y=Hn(g)-Hn(T),C=L+y+va(T-L,b);E.push(C);let F=f(C),B=F.getHours()+F.getMinutes()/e+F.getSeconds()/n,W=m/n,k=u.axes[p]._space,q=d/k;for(;C=Ne(C+m,i==1?0:3),!(C>x);)if(W>1){let j=Hn(Ne(B+W,6))%24,lt=f(C).getHours()-j;lt>1&&(lt=-1),C-=lt*n,B=(B+W)%24;let ft=E[E.length-1];Ne((C-ft)/m,3)*q>=.7&&E.push(C)}else E.push(C)}return E}}return[l,c,h]}var[r_,o_,a_]=Jd(1),[l_,c_,h_]=Jd(.001);Eo(2,-53,53,[1]);function xd(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function vd(i,t){return(e,n,s,r,o)=>{let a=t.find(g=>o>=g[0])||t[t.length-1],l,c,h,f,u,p;return n.map(g=>{let x=i(g),m=x.getFullYear(),d=x.getMonth(),E=x.getDate(),M=x.getHours(),v=x.getMinutes(),P=x.getSeconds(),T=m!=l&&a[2]||d!=c&&a[3]||E!=h&&a[4]||M!=f&&a[5]||v!=u&&a[6]||P!=p&&a[7]||a[1];return l=m,c=d,h=E,f=M,u=v,p=P,T(x)})}}function u_(i,t){let e=Nc(t);return(n,s,r,o,a)=>s.map(l=>e(i(l)))}function mc(i,t,e){return new Date(i,t,e)}function yd(i,t){return t(i)}var f_="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Md(i,t){return(e,n,s,r)=>r==null?Rc:t(i(n))}function d_(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function p_(i,t){return i.series[t].fill(i,t)}var m_={show:!0,live:!0,isolate:!1,mount:U0,markers:{show:!0,width:2,stroke:d_,fill:p_,dash:"solid"},idx:null,idxs:null,values:[]};function g_(i,t){let e=i.cursor.points,n=jn(),s=e.size(i,t);Ve(n,yo,s),Ve(n,Mo,s);let r=s/-2;Ve(n,"marginLeft",r),Ve(n,"marginTop",r);let o=e.width(i,t,s);return o&&Ve(n,"borderWidth",o),n}function __(i,t){let e=i.series[t].points;return e._fill||e._stroke}function x_(i,t){let e=i.series[t].points;return e._stroke||e._fill}function v_(i,t){return i.series[t].points.size}var gc=[0,0];function y_(i,t,e){return gc[0]=t,gc[1]=e,gc}function da(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function _c(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}var M_={show:!0,x:!0,y:!0,lock:!1,move:y_,points:{one:!1,show:g_,size:v_,width:0,stroke:x_,fill:__},bind:{mousedown:da,mouseup:da,click:da,dblclick:da,mousemove:_c,mouseleave:_c,mouseenter:_c},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Kd={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Oc=Qe({},Kd,{filter:Od}),jd=Qe({},Oc,{size:10}),Qd=Qe({},Kd,{show:!1}),Bc='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',tp="bold "+Bc,ep=1.5,Sd={show:!0,scale:"x",stroke:Cc,space:50,gap:5,size:50,labelGap:0,labelSize:30,labelFont:tp,side:2,grid:Oc,ticks:jd,border:Qd,font:Bc,lineGap:ep,rotate:0},S_="Value",b_="Time",bd={show:!0,scale:"x",auto:!1,sorted:1,min:pe,max:-pe,idxs:[]};function w_(i,t,e,n,s){return t.map(r=>r==null?"":Dc(r))}function E_(i,t,e,n,s,r,o){let a=[],l=fs.get(s)||0;e=o?e:Ne(va(e,s),l);for(let c=e;c<=n;c=Ne(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function bc(i,t,e,n,s,r,o){let a=[],l=i.scales[i.axes[t].scale].log,c=l==10?Gi:Nd,h=Hn(c(e));s=Ar(l,h),l==10&&(s=Ns[fi(s,Ns)]);let f=e,u=s*l;l==10&&(u=Ns[fi(u,Ns)]);do a.push(f),f=f+s,l==10&&!fs.has(f)&&(f=Ne(f,fs.get(s))),f>=u&&(s=f,u=s*l,l==10&&(u=Ns[fi(u,Ns)]));while(f<=n);return a}function A_(i,t,e,n,s,r,o){let l=i.scales[i.axes[t].scale].asinh,c=n>l?bc(i,t,yn(l,e),n,s):[l],h=n>=0&&e<=0?[0]:[];return(e<-l?bc(i,t,yn(l,-n),-e,s):[l]).reverse().map(u=>-u).concat(h,c)}var np=/./,T_=/[12357]/,C_=/[125]/,wd=/1/,wc=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function R_(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,h=l(10,o),f=l(9,o)-h>=c?np:l(7,o)-h>=c?T_:l(5,o)-h>=c?C_:wd;if(f==wd){let u=nn(l(1,o)-h);if(u<c)return wc(t.slice().reverse(),a.distr,f,Qn(c/u)).reverse()}return wc(t,a.distr,f,1)}function P_(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,l=i.valToPos,c=nn(l(1,o)-l(2,o));return c<a?wc(t.slice().reverse(),3,np,Qn(a/c)).reverse():t}function I_(i,t,e,n){return n==null?Rc:t==null?"":Dc(t)}var Ed={show:!0,scale:"y",stroke:Cc,space:30,gap:5,size:50,labelGap:0,labelSize:30,labelFont:tp,side:3,grid:Oc,ticks:jd,border:Qd,font:Bc,lineGap:ep,rotate:0};function L_(i,t){let e=3+(i||1)*2;return Ne(e*t,3)}function D_(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=nn(o-r),l=i.series[t],c=a/(l.points.space*be);return n[1]-n[0]<=c}var Ad={scale:null,auto:!0,sorted:0,min:pe,max:-pe},ip=(i,t,e,n,s)=>s,Td={show:!0,auto:!0,sorted:0,gaps:ip,alpha:1,facets:[Qe({},Ad,{scale:"x"}),Qe({},Ad,{scale:"y"})]},Cd={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:ip,alpha:1,points:{show:D_,filter:null},values:null,min:pe,max:-pe,idxs:[],path:null,clip:null};function U_(i,t,e,n,s){return e/10}var sp={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},N_=Qe({},sp,{time:!1,ori:1}),Rd={};function rp(i,t){let e=Rd[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let h=0;h<e.plots.length;h++)e.plots[h]!=s&&e.plots[h].pub(n,s,r,o,a,l,c)}},i!=null&&(Rd[i]=e)),e}var Rr=1,Ec=2;function zs(i,t,e){let n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox,l=r[0],c=n==2?r[1]:r[t],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],f=n==2?o[s.facets[1].scale]:o[s.scale],u=a.left,p=a.top,g=a.width,x=a.height,m=i.valToPosH,d=i.valToPosV;return h.ori==0?e(s,l,c,h,f,m,d,u,p,g,x,Sa,Ir,wa,ap,cp):e(s,l,c,h,f,d,m,p,u,x,g,ba,Lr,Vc,lp,hp)}function zc(i,t){let e=0,n=0,s=Me(i.bands,Uc);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function F_(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function Wi(i,t,e,n,s,r){return zs(i,t,(o,a,l,c,h,f,u,p,g,x,m)=>{let d=o.pxRound,E=c.dir*(c.ori==0?1:-1),M=c.ori==0?Ir:Lr,v,P;E==1?(v=e,P=n):(v=n,P=e);let T=d(f(a[v],c,x,p)),I=d(u(l[v],h,m,g)),L=d(f(a[P],c,x,p)),b=d(u(r==1?h.max:h.min,h,m,g)),y=new Path2D(s);return M(y,L,b),M(y,T,b),M(y,T,I),y})}function Ma(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=t==0?wa:Vc,l=e;for(let f=0;f<i.length;f++){let u=i[f];if(u[1]>u[0]){let p=u[0]-l;p>0&&a(o,l,n,p,n+r),l=u[1]}}let c=e+s-l,h=10;c>0&&a(o,l,n-h/2,c,n+r+h)}return o}function O_(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function kc(i,t,e,n,s,r,o){let a=[],l=i.length;for(let c=s==1?e:n;c>=e&&c<=n;c+=s)if(t[c]===null){let f=c,u=c;if(s==1)for(;++c<=n&&t[c]===null;)u=c;else for(;--c>=e&&t[c]===null;)u=c;let p=r(i[f]),g=u==f?p:r(i[u]),x=f-s;p=o<=0&&x>=0&&x<l?r(i[x]):p;let d=u+s;g=o>=0&&d>=0&&d<l?r(i[d]):g,g>=p&&a.push([p,g])}return a}function Pd(i){return i==0?Fd:i==1?en:t=>Us(t,i)}function op(i){let t=i==0?Sa:ba,e=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,h=0)=>{c==0&&h==0?n(s,r,o,a,l):(c=ti(c,a/2,l/2),h=ti(h,a/2,l/2),t(s,r+c,o),e(s,r+a,o,r+a,o+l,c),e(s,r+a,o+l,r,o+l,h),e(s,r,o+l,r,o,h),e(s,r,o,r+a,o,c),s.closePath())}}var Sa=(i,t,e)=>{i.moveTo(t,e)},ba=(i,t,e)=>{i.moveTo(e,t)},Ir=(i,t,e)=>{i.lineTo(t,e)},Lr=(i,t,e)=>{i.lineTo(e,t)},wa=op(0),Vc=op(1),ap=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},lp=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},cp=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},hp=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function up(i){return(t,e,n,s,r)=>zs(t,e,(o,a,l,c,h,f,u,p,g,x,m)=>{let{pxRound:d,points:E}=o,M,v;c.ori==0?(M=Sa,v=ap):(M=ba,v=lp);let P=Ne(E.width*be,3),T=(E.size-E.width)/2*be,I=Ne(T*2,3),L=new Path2D,b=new Path2D,{left:y,top:C,width:F,height:B}=t.bbox;wa(b,y-I,C-I,F+I*2,B+I*2);let W=k=>{if(l[k]!=null){let q=d(f(a[k],c,x,p)),j=d(u(l[k],h,m,g));M(L,q+T,j),v(L,q,j,T,0,pa*2)}};if(r)r.forEach(W);else for(let k=n;k<=s;k++)W(k);return{stroke:P>0?L:null,fill:L,clip:b,flags:Rr|Ec}})}function fp(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}var B_=fp(Ir),z_=fp(Lr);function dp(i){let t=Me(i?.alignGaps,0);return(e,n,s,r)=>zs(e,n,(o,a,l,c,h,f,u,p,g,x,m)=>{let d=o.pxRound,E=_t=>d(f(_t,c,x,p)),M=_t=>d(u(_t,h,m,g)),v,P;c.ori==0?(v=Ir,P=B_):(v=Lr,P=z_);let T=c.dir*(c.ori==0?1:-1),I={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Rr},L=I.stroke,b=pe,y=-pe,C,F,B,W=E(a[T==1?s:r]),k=Er(l,s,r,1*T),q=Er(l,s,r,-1*T),j=E(a[k]),$=E(a[q]),ot=!1;for(let _t=T==1?s:r;_t>=s&&_t<=r;_t+=T){let $t=E(a[_t]),Z=l[_t];$t==W?Z!=null?(F=M(Z),b==pe&&(v(L,$t,F),C=F),b=ti(F,b),y=yn(F,y)):Z===null&&(ot=!0):(b!=pe&&(P(L,W,b,y,C,F),B=W),Z!=null?(F=M(Z),v(L,$t,F),b=y=C=F):(b=pe,y=-pe,Z===null&&(ot=!0)),W=$t)}b!=pe&&b!=y&&B!=W&&P(L,W,b,y,C,F);let[lt,ft]=zc(e,n);if(o.fill!=null||lt!=0){let _t=I.fill=new Path2D(L),$t=o.fillTo(e,n,o.min,o.max,lt),Z=M($t);v(_t,$,Z),v(_t,j,Z)}if(!o.spanGaps){let _t=[];ot&&_t.push(...kc(a,l,s,r,T,E,t)),I.gaps=_t=o.gaps(e,n,s,r,_t),I.clip=Ma(_t,c.ori,p,g,x,m)}return ft!=0&&(I.band=ft==2?[Wi(e,n,s,r,L,-1),Wi(e,n,s,r,L,1)]:Wi(e,n,s,r,L,ft)),I})}function k_(i){let t=Me(i.align,1),e=Me(i.ascDesc,!1),n=Me(i.alignGaps,0),s=Me(i.extend,!1);return(r,o,a,l)=>zs(r,o,(c,h,f,u,p,g,x,m,d,E,M)=>{let v=c.pxRound,{left:P,width:T}=r.bbox,I=lt=>v(g(lt,u,E,m)),L=lt=>v(x(lt,p,M,d)),b=u.ori==0?Ir:Lr,y={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Rr},C=y.stroke,F=u.dir*(u.ori==0?1:-1);a=Er(f,a,l,1),l=Er(f,a,l,-1);let B=L(f[F==1?a:l]),W=I(h[F==1?a:l]),k=W,q=W;s&&t==-1&&(q=P,b(C,q,B)),b(C,W,B);for(let lt=F==1?a:l;lt>=a&&lt<=l;lt+=F){let ft=f[lt];if(ft==null)continue;let _t=I(h[lt]),$t=L(ft);t==1?b(C,_t,B):b(C,k,$t),b(C,_t,$t),B=$t,k=_t}let j=k;s&&t==1&&(j=P+T,b(C,j,B));let[$,ot]=zc(r,o);if(c.fill!=null||$!=0){let lt=y.fill=new Path2D(C),ft=c.fillTo(r,o,c.min,c.max,$),_t=L(ft);b(lt,j,_t),b(lt,q,_t)}if(!c.spanGaps){let lt=[];lt.push(...kc(h,f,a,l,F,I,n));let ft=c.width*be/2,_t=e||t==1?ft:-ft,$t=e||t==-1?-ft:ft;lt.forEach(Z=>{Z[0]+=_t,Z[1]+=$t}),y.gaps=lt=c.gaps(r,o,a,l,lt),y.clip=Ma(lt,u.ori,m,d,E,M)}return ot!=0&&(y.band=ot==2?[Wi(r,o,a,l,C,-1),Wi(r,o,a,l,C,1)]:Wi(r,o,a,l,C,ot)),y})}function Id(i,t,e,n,s,r,o=pe){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(t[l]!==void 0){if(a!=null){let h=nn(i[l]-i[a]);h<c&&(c=h,o=nn(e(i[l],n,s,r)-e(i[a],n,s,r)))}a=l}}return o}function V_(i){i=i||wo;let t=Me(i.size,[.6,pe,1]),e=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=de(s),o=1-t[0],a=Me(t[1],pe),l=Me(t[2],1),c=Me(i.disp,wo),h=Me(i.each,p=>{}),{fill:f,stroke:u}=c;return(p,g,x,m)=>zs(p,g,(d,E,M,v,P,T,I,L,b,y,C)=>{let F=d.pxRound,B=e,W=n*be,k=a*be,q=l*be,j,$;v.ori==0?[j,$]=r(p,g):[$,j]=r(p,g);let ot=v.dir*(v.ori==0?1:-1),lt=v.ori==0?wa:Vc,ft=v.ori==0?h:(K,nt,It,St,wt,Kt,gt)=>{h(K,nt,It,wt,St,gt,Kt)},_t=Me(p.bands,Uc).find(K=>K.series[0]==g),$t=_t!=null?_t.dir:0,Z=d.fillTo(p,g,d.min,d.max,$t),ut=F(I(Z,P,C,b)),Dt,mt,Ft,qt=y,Pt=F(d.width*be),te=!1,at=null,et=null,D=null,vt=null;f!=null&&(Pt==0||u!=null)&&(te=!0,at=f.values(p,g,x,m),et=new Map,new Set(at).forEach(K=>{K!=null&&et.set(K,new Path2D)}),Pt>0&&(D=u.values(p,g,x,m),vt=new Map,new Set(D).forEach(K=>{K!=null&&vt.set(K,new Path2D)})));let{x0:st,size:ct}=c;if(st!=null&&ct!=null){B=1,E=st.values(p,g,x,m),st.unit==2&&(E=E.map(It=>p.posToVal(L+It*y,v.key,!0)));let K=ct.values(p,g,x,m);ct.unit==2?mt=K[0]*y:mt=T(K[0],v,y,L)-T(0,v,y,L),qt=Id(E,M,T,v,y,L,qt),Ft=qt-mt+W}else qt=Id(E,M,T,v,y,L,qt),Ft=qt*o+W,mt=qt-Ft;Ft<1&&(Ft=0),Pt>=mt/2&&(Pt=0),Ft<5&&(F=Fd);let rt=Ft>0,Tt=qt-Ft-(rt?Pt:0);mt=F(Sc(Tt,q,k)),Dt=(B==0?mt/2:B==ot?0:mt)-B*ot*((B==0?W/2:0)+(rt?Pt/2:0));let dt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},R=te?null:new Path2D,S=null;if(_t!=null)S=p.data[_t.series[1]];else{let{y0:K,y1:nt}=c;K!=null&&nt!=null&&(M=nt.values(p,g,x,m),S=K.values(p,g,x,m))}let z=j*mt,Q=$*mt;for(let K=ot==1?x:m;K>=x&&K<=m;K+=ot){let nt=M[K];if(nt==null)continue;if(S!=null){let Jt=S[K]??0;if(nt-Jt==0)continue;ut=I(Jt,P,C,b)}let It=v.distr!=2||c!=null?E[K]:K,St=T(It,v,y,L),wt=I(Me(nt,Z),P,C,b),Kt=F(St-Dt),gt=F(yn(wt,ut)),At=F(ti(wt,ut)),Yt=gt-At;if(nt!=null){let Jt=nt<0?Q:z,Ut=nt<0?z:Q;te?(Pt>0&&D[K]!=null&&lt(vt.get(D[K]),Kt,At+Hn(Pt/2),mt,yn(0,Yt-Pt),Jt,Ut),at[K]!=null&&lt(et.get(at[K]),Kt,At+Hn(Pt/2),mt,yn(0,Yt-Pt),Jt,Ut)):lt(R,Kt,At+Hn(Pt/2),mt,yn(0,Yt-Pt),Jt,Ut),ft(p,g,K,Kt-Pt/2,At,mt+Pt,Yt)}}return Pt>0?dt.stroke=te?vt:R:te||(dt._fill=d.width==0?d._fill:d._stroke??d._fill,dt.width=0),dt.fill=te?et:R,dt})}function H_(i,t){let e=Me(t?.alignGaps,0);return(n,s,r,o)=>zs(n,s,(a,l,c,h,f,u,p,g,x,m,d)=>{let E=a.pxRound,M=j=>E(u(j,h,m,g)),v=j=>E(p(j,f,d,x)),P,T,I;h.ori==0?(P=Sa,I=Ir,T=cp):(P=ba,I=Lr,T=hp);let L=h.dir*(h.ori==0?1:-1);r=Er(c,r,o,1),o=Er(c,r,o,-1);let b=M(l[L==1?r:o]),y=b,C=[],F=[];for(let j=L==1?r:o;j>=r&&j<=o;j+=L)if(c[j]!=null){let ot=l[j],lt=M(ot);C.push(y=lt),F.push(v(c[j]))}let B={stroke:i(C,F,P,I,T,E),fill:null,clip:null,band:null,gaps:null,flags:Rr},W=B.stroke,[k,q]=zc(n,s);if(a.fill!=null||k!=0){let j=B.fill=new Path2D(W),$=a.fillTo(n,s,a.min,a.max,k),ot=v($);I(j,y,ot),I(j,b,ot)}if(!a.spanGaps){let j=[];j.push(...kc(l,c,r,o,L,M,e)),B.gaps=j=a.gaps(n,s,r,o,j),B.clip=Ma(j,h.ori,g,x,m,d)}return q!=0&&(B.band=q==2?[Wi(n,s,r,o,W,-1),Wi(n,s,r,o,W,1)]:Wi(n,s,r,o,W,q)),B})}function G_(i){return H_(W_,i)}function W_(i,t,e,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),f=Array(o-1);for(let u=0;u<o-1;u++)h[u]=t[u+1]-t[u],f[u]=i[u+1]-i[u],c[u]=h[u]/f[u];l[0]=c[0];for(let u=1;u<o-1;u++)c[u]===0||c[u-1]===0||c[u-1]>0!=c[u]>0?l[u]=0:(l[u]=3*(f[u-1]+f[u])/((2*f[u]+f[u-1])/c[u-1]+(f[u]+2*f[u-1])/c[u]),isFinite(l[u])||(l[u]=0));l[o-1]=c[o-2];for(let u=0;u<o-1;u++)s(a,i[u]+f[u]/3,t[u]+l[u]*f[u]/3,i[u+1]-f[u]/3,t[u+1]-l[u+1]*f[u]/3,i[u+1],t[u+1])}return a}var Ac=new Set;function Ld(){for(let i of Ac)i.syncRect(!0)}Pr&&(Os(w0,wr,Ld),Os(E0,wr,Ld,!0),Os(ma,wr,()=>{gn.pxRatio=be}));var X_=dp(),q_=up();function Dd(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>Tc(r,o,t,e))}function Y_(i,t){return i.map((e,n)=>n==0?{}:Qe({},t,e))}function Tc(i,t,e,n){return Qe({},t==0?e:n,i)}function pp(i,t,e){return t==null?Tr:[t,e]}var $_=pp;function Z_(i,t,e){return t==null?Tr:ga(t,e,Lc,!0)}function mp(i,t,e,n){return t==null?Tr:xa(t,e,i.scales[n].log,!1)}var J_=mp;function gp(i,t,e,n){return t==null?Tr:Ic(t,e,i.scales[n].log,!1)}var K_=gp;function j_(i,t,e,n,s){let r=yn(ud(i),ud(t)),o=t-i,a=fi(s/n*o,e);do{let l=e[a],c=n*l/o;if(c>=s&&r+(l<5?fs.get(l):0)<=17)return[l,c]}while(++a<e.length);return[0,0]}function Ud(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=en((e=+s)*be))+"px"),[i,t,e]}function Q_(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=Ne(t[2]*be,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function gn(i,t,e){let n={mode:Me(i.mode,1)},s=n.mode;function r(_,w){return((w.distr==3?Gi(_>0?_:w.clamp(n,_,w.min,w.max,w.key)):w.distr==4?pc(_,w.asinh):w.distr==100?w.fwd(_):_)-w._min)/(w._max-w._min)}function o(_,w,U,N){let G=r(_,w);return N+U*(w.dir==-1?1-G:G)}function a(_,w,U,N){let G=r(_,w);return N+U*(w.dir==-1?G:1-G)}function l(_,w,U,N){return w.ori==0?o(_,w,U,N):a(_,w,U,N)}n.valToPosH=o,n.valToPosV=a;let c=!1;n.status=0;let h=n.root=jn(o0);if(i.id!=null&&(h.id=i.id),Vn(h,i.class),i.title){let _=jn(c0,h);_.textContent=i.title}let f=ui("canvas"),u=n.ctx=f.getContext("2d"),p=jn(h0,h);Os("click",p,_=>{_.target===x&&(Be!=pr||Ge!=mr)&&pn.click(n,_)},!0);let g=n.under=jn(u0,p);p.appendChild(f);let x=n.over=jn(f0,p);i=Cr(i);let m=+Me(i.pxAlign,1),d=Pd(m);(i.plugins||[]).forEach(_=>{_.opts&&(i=_.opts(n,i)||i)});let E=i.ms||.001,M=n.series=s==1?Dd(i.series||[],bd,Cd,!1):Y_(i.series||[null],Td),v=n.axes=Dd(i.axes||[],Sd,Ed,!0),P=n.scales={},T=n.bands=i.bands||[];T.forEach(_=>{_.fill=de(_.fill||null),_.dir=Me(_.dir,-1)});let I=s==2?M[1].facets[0].scale:M[0].scale,L={axes:Og,series:Le},b=(i.drawOrder||["axes","series"]).map(_=>L[_]);function y(_){let w=P[_];if(w==null){let U=(i.scales||wo)[_]||wo;if(U.from!=null)y(U.from),P[_]=Qe({},P[U.from],U,{key:_});else{w=P[_]=Qe({},_==I?sp:N_,U),w.key=_;let N=w.time,G=w.range,J=us(G);if((_!=I||s==2&&!N)&&(J&&(G[0]==null||G[1]==null)&&(G={min:G[0]==null?ld:{mode:1,hard:G[0],soft:G[0]},max:G[1]==null?ld:{mode:1,hard:G[1],soft:G[1]}},J=!1),!J&&ya(G))){let ht=G;G=(xt,Mt,Bt)=>Mt==null?Tr:ga(Mt,Bt,ht)}w.range=de(G||(N?$_:_==I?w.distr==3?J_:w.distr==4?K_:pp:w.distr==3?mp:w.distr==4?gp:Z_)),w.auto=de(J?!1:w.auto),w.clamp=de(w.clamp||U_),w._min=w._max=null}}}y("x"),y("y"),s==1&&M.forEach(_=>{y(_.scale)}),v.forEach(_=>{y(_.scale)});for(let _ in i.scales)y(_);let C=P[I],F=C.distr,B,W;C.ori==0?(Vn(h,a0),B=o,W=a):(Vn(h,l0),B=a,W=o);let k={};for(let _ in P){let w=P[_];(w.min!=null||w.max!=null)&&(k[_]={min:w.min,max:w.max},w.min=w.max=null)}let q=i.tzDate||(_=>new Date(en(_/E))),j=i.fmtDate||Nc,$=E==1?a_(q):h_(q),ot=vd(q,xd(E==1?o_:c_,j)),lt=Md(q,yd(f_,j)),ft=[],_t=n.legend=Qe({},m_,i.legend),$t=_t.show,Z=_t.markers;_t.idxs=ft,Z.width=de(Z.width),Z.dash=de(Z.dash),Z.stroke=de(Z.stroke),Z.fill=de(Z.fill);let ut,Dt,mt,Ft=[],qt=[],Pt,te=!1,at={};if(_t.live){let _=M[1]?M[1].values:null;te=_!=null,Pt=te?_(n,1,0):{_:0};for(let w in Pt)at[w]=Rc}if($t)if(ut=ui("table",x0,h),mt=ui("tbody",null,ut),_t.mount(n,ut),te){Dt=ui("thead",null,ut,mt);let _=ui("tr",null,Dt);ui("th",null,_);for(var et in Pt)ui("th",$f,_).textContent=et}else Vn(ut,y0),_t.live&&Vn(ut,v0);let D={show:!0},vt={show:!1};function st(_,w){if(w==0&&(te||!_t.live||s==2))return Tr;let U=[],N=ui("tr",M0,mt,mt.childNodes[w]);Vn(N,_.class),_.show||Vn(N,Fs);let G=ui("th",null,N);if(Z.show){let xt=jn(S0,G);if(w>0){let Mt=Z.width(n,w);Mt&&(xt.style.border=Mt+"px "+Z.dash(n,w)+" "+Z.stroke(n,w)),xt.style.background=Z.fill(n,w)}}let J=jn($f,G);J.textContent=_.label,w>0&&(Z.show||(J.style.color=_.width>0?Z.stroke(n,w):Z.fill(n,w)),rt("click",G,xt=>{if(kt._lock)return;he(xt);let Mt=M.indexOf(_);if((xt.ctrlKey||xt.metaKey)!=_t.isolate){let Bt=M.some((zt,Ht)=>Ht>0&&Ht!=Mt&&zt.show);M.forEach((zt,Ht)=>{Ht>0&&Ei(Ht,Bt?Ht==Mt?D:vt:D,!0,Ke.setSeries)})}else Ei(Mt,{show:!_.show},!0,Ke.setSeries)},!1),Bi&&rt(Qf,G,xt=>{kt._lock||(he(xt),Ei(M.indexOf(_),_r,!0,Ke.setSeries))},!1));for(var ht in Pt){let xt=ui("td",b0,N);xt.textContent="--",U.push(xt)}return[N,U]}let ct=new Map;function rt(_,w,U,N=!0){let G=ct.get(w)||{},J=kt.bind[_](n,w,U,N);J&&(Os(_,w,G[_]=J),ct.set(w,G))}function Tt(_,w,U){let N=ct.get(w)||{};for(let G in N)(_==null||G==_)&&(Mc(G,w,N[G]),delete N[G]);_==null&&ct.delete(w)}let dt=0,R=0,S=0,z=0,Q=0,K=0,nt=Q,It=K,St=S,wt=z,Kt=0,gt=0,At=0,Yt=0;n.bbox={};let Jt=!1,Ut=!1,ae=!1,ee=!1,Se=!1,V=!1;function Ct(_,w,U){(U||_!=n.width||w!=n.height)&&it(_,w),hr(!1),ae=!0,Ut=!0,ur()}function it(_,w){n.width=dt=S=_,n.height=R=z=w,Q=K=0,se(),He();let U=n.bbox;Kt=U.left=Us(Q*be,.5),gt=U.top=Us(K*be,.5),At=U.width=Us(S*be,.5),Yt=U.height=Us(z*be,.5)}let pt=3;function Ot(){let _=!1,w=0;for(;!_;){w++;let U=Ng(w),N=Fg(w);_=w==pt||U&&N,_||(it(n.width,n.height),Ut=!0)}}function Nt({width:_,height:w}){Ct(_,w)}n.setSize=Nt;function se(){let _=!1,w=!1,U=!1,N=!1;v.forEach((G,J)=>{if(G.show&&G._show){let{side:ht,_size:xt}=G,Mt=ht%2,Bt=G.label!=null?G.labelSize:0,zt=xt+Bt;zt>0&&(Mt?(S-=zt,ht==3?(Q+=zt,N=!0):U=!0):(z-=zt,ht==0?(K+=zt,_=!0):w=!0))}}),bi[0]=_,bi[1]=U,bi[2]=w,bi[3]=N,S-=wi[1]+wi[3],Q+=wi[3],z-=wi[2]+wi[0],K+=wi[0]}function He(){let _=Q+S,w=K+z,U=Q,N=K;function G(J,ht){switch(J){case 1:return _+=ht,_-ht;case 2:return w+=ht,w-ht;case 3:return U-=ht,U+ht;case 0:return N-=ht,N+ht}}v.forEach((J,ht)=>{if(J.show&&J._show){let xt=J.side;J._pos=G(xt,J._size),J.label!=null&&(J._lpos=G(xt,J.labelSize))}})}let kt=n.cursor=Qe({},M_,{drag:{y:s==2}},i.cursor);if(kt.dataIdx==null){let _=kt.hover,w=_.skip=new Set(_.skip??[]);w.add(void 0);let U=_.prox=de(_.prox),N=_.bias??(_.bias=0);kt.dataIdx=(G,J,ht,xt)=>{if(J==0)return ht;let Mt=ht,Bt=U(G,J,ht,xt)??pe,zt=Bt>=0&&Bt<pe,Ht=C.ori==0?S:z,ie=kt.left,De=t[0],me=t[J];if(w.has(me[ht])){Mt=null;let ue=null,re=null,Zt;if(N==0||N==-1)for(Zt=ht;ue==null&&Zt-- >0;)w.has(me[Zt])||(ue=Zt);if(N==0||N==1)for(Zt=ht;re==null&&Zt++<me.length;)w.has(me[Zt])||(re=Zt);if(ue!=null||re!=null)if(zt){let Pe=ue==null?-1/0:B(De[ue],C,Ht,0),Ze=re==null?1/0:B(De[re],C,Ht,0),qe=ie-Pe,ke=Ze-ie;qe<=ke?qe<=Bt&&(Mt=ue):ke<=Bt&&(Mt=re)}else Mt=re==null?ue:ue==null?re:ht-ue<=re-ht?ue:re}else zt&&nn(ie-B(De[ht],C,Ht,0))>Bt&&(Mt=null);return Mt}}let he=_=>{kt.event=_};kt.idxs=ft,kt._lock=!1;let Re=kt.points;Re.show=de(Re.show),Re.size=de(Re.size),Re.stroke=de(Re.stroke),Re.width=de(Re.width),Re.fill=de(Re.fill);let ln=n.focus=Qe({},i.focus||{alpha:.3},kt.focus),Bi=ln.prox>=0,zi=Bi&&Re.one,Je=[],Si=[],ki=[];function uo(_,w){let U=Re.show(n,w);if(U)return Vn(U,_0),Vn(U,_.class),Ri(U,-10,-10,S,z),x.insertBefore(U,Je[w]),U}function Cs(_,w){if(s==1||w>0){let U=s==1&&P[_.scale].time,N=_.value;_.value=U?pd(N)?Md(q,yd(N,j)):N||lt:N||I_,_.label=_.label||(U?b_:S_)}if(zi||w>0){_.width=_.width==null?1:_.width,_.paths=_.paths||X_||N0,_.fillTo=de(_.fillTo||F_),_.pxAlign=+Me(_.pxAlign,m),_.pxRound=Pd(_.pxAlign),_.stroke=de(_.stroke||null),_.fill=de(_.fill||null),_._stroke=_._fill=_._paths=_._focus=null;let U=L_(yn(1,_.width),1),N=_.points=Qe({},{size:U,width:yn(1,U*.2),stroke:_.stroke,space:U*2,paths:q_,_stroke:null,_fill:null},_.points);N.show=de(N.show),N.filter=de(N.filter),N.fill=de(N.fill),N.stroke=de(N.stroke),N.paths=de(N.paths),N.pxAlign=_.pxAlign}if($t){let U=st(_,w);Ft.splice(w,0,U[0]),qt.splice(w,0,U[1]),_t.values.push(null)}if(kt.show){ft.splice(w,0,null);let U=null;zi?w==0&&(U=uo(_,w)):w>0&&(U=uo(_,w)),Je.splice(w,0,U),Si.splice(w,0,0),ki.splice(w,0,0)}fn("addSeries",w)}function ta(_,w){w=w??M.length,_=s==1?Tc(_,w,bd,Cd):Tc(_,w,{},Td),M.splice(w,0,_),Cs(M[w],w)}n.addSeries=ta;function cr(_){if(M.splice(_,1),$t){_t.values.splice(_,1),qt.splice(_,1);let w=Ft.splice(_,1)[0];Tt(null,w.firstChild),w.remove()}kt.show&&(ft.splice(_,1),Je.splice(_,1)[0].remove(),Si.splice(_,1),ki.splice(_,1)),fn("delSeries",_)}n.delSeries=cr;let bi=[!1,!1,!1,!1];function ea(_,w){if(_._show=_.show,_.show){let U=_.side%2,N=P[_.scale];N==null&&(_.scale=U?M[1].scale:I,N=P[_.scale]);let G=N.time;_.size=de(_.size),_.space=de(_.space),_.rotate=de(_.rotate),us(_.incrs)&&_.incrs.forEach(ht=>{!fs.has(ht)&&fs.set(ht,zd(ht))}),_.incrs=de(_.incrs||(N.distr==2?i_:G?E==1?r_:l_:Ns)),_.splits=de(_.splits||(G&&N.distr==1?$:N.distr==3?bc:N.distr==4?A_:E_)),_.stroke=de(_.stroke),_.grid.stroke=de(_.grid.stroke),_.ticks.stroke=de(_.ticks.stroke),_.border.stroke=de(_.border.stroke);let J=_.values;_.values=us(J)&&!us(J[0])?de(J):G?us(J)?vd(q,xd(J,j)):pd(J)?u_(q,J):J||ot:J||w_,_.filter=de(_.filter||(N.distr>=3&&N.log==10?R_:N.distr==3&&N.log==2?P_:Od)),_.font=Ud(_.font),_.labelFont=Ud(_.labelFont),_._size=_.size(n,null,w,0),_._space=_._rotate=_._incrs=_._found=_._splits=_._values=null,_._size>0&&(bi[w]=!0,_._el=jn(d0,p))}}function Rs(_,w,U,N){let[G,J,ht,xt]=U,Mt=w%2,Bt=0;return Mt==0&&(xt||J)&&(Bt=w==0&&!G||w==2&&!ht?en(Sd.size/3):0),Mt==1&&(G||ht)&&(Bt=w==1&&!J||w==3&&!xt?en(Ed.size/2):0),Bt}let na=n.padding=(i.padding||[Rs,Rs,Rs,Rs]).map(_=>de(Me(_,Rs))),wi=n._padding=na.map((_,w)=>_(n,w,bi,0)),A,H=null,Y=null,tt=s==1?M[0].idxs:null,X=null,yt=!1;function Lt(_,w){if(t=_??[],n.data=n._data=t,s==2){A=0;for(let U=1;U<M.length;U++)A+=t[U][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),X=t[0],A=X.length;let U=t;if(F==2){U=t.slice();let N=U[0]=Array(A);for(let G=0;G<A;G++)N[G]=G}n._data=t=U}if(hr(!0),fn("setData"),F==2&&(ae=!0),w!==!1){let U=C;U.auto(n,yt)?Wt():as(I,U.min,U.max),ee=ee||kt.left>=0,V=!0,ur()}}n.setData=Lt;function Wt(){yt=!0;let _,w;s==1&&(A>0?(H=tt[0]=0,Y=tt[1]=A-1,_=t[0][H],w=t[0][Y],F==2?(_=H,w=Y):_==w&&(F==3?[_,w]=xa(_,_,C.log,!1):F==4?[_,w]=Ic(_,_,C.log,!1):C.time?w=_+en(86400/E):[_,w]=ga(_,w,Lc,!0))):(H=tt[0]=_=null,Y=tt[1]=w=null)),as(I,_,w)}let Gt,Qt,ne,Xt,fe,we,Ae,cn,_e,Vt;function $n(_,w,U,N,G,J){_??(_=Jf),U??(U=Uc),N??(N="butt"),G??(G=Jf),J??(J="round"),_!=Gt&&(u.strokeStyle=Gt=_),G!=Qt&&(u.fillStyle=Qt=G),w!=ne&&(u.lineWidth=ne=w),J!=fe&&(u.lineJoin=fe=J),N!=we&&(u.lineCap=we=N),U!=Xt&&u.setLineDash(Xt=U)}function ve(_,w,U,N){w!=Qt&&(u.fillStyle=Qt=w),_!=Ae&&(u.font=Ae=_),U!=cn&&(u.textAlign=cn=U),N!=_e&&(u.textBaseline=_e=N)}function wn(_,w,U,N,G=0){if(N.length>0&&_.auto(n,yt)&&(w==null||w.min==null)){let J=Me(H,0),ht=Me(Y,N.length-1),xt=U.min==null?_.distr==3?R0(N,J,ht):C0(N,J,ht,G):[U.min,U.max];_.min=ti(_.min,U.min=xt[0]),_.max=yn(_.max,U.max=xt[1])}}let Vi={min:null,max:null};function En(){for(let N in P){let G=P[N];k[N]==null&&(G.min==null||k[I]!=null&&G.auto(n,yt))&&(k[N]=Vi)}for(let N in P){let G=P[N];k[N]==null&&G.from!=null&&k[G.from]!=null&&(k[N]=Vi)}k[I]!=null&&hr(!0);let _={};for(let N in k){let G=k[N];if(G!=null){let J=_[N]=Cr(P[N],B0);if(G.min!=null)Qe(J,G);else if(N!=I||s==2)if(A==0&&J.from==null){let ht=J.range(n,null,null,N);J.min=ht[0],J.max=ht[1]}else J.min=pe,J.max=-pe}}if(A>0){M.forEach((N,G)=>{if(s==1){let J=N.scale,ht=k[J];if(ht==null)return;let xt=_[J];if(G==0){let Mt=xt.range(n,xt.min,xt.max,J);xt.min=Mt[0],xt.max=Mt[1],H=fi(xt.min,t[0]),Y=fi(xt.max,t[0]),Y-H>1&&(t[0][H]<xt.min&&H++,t[0][Y]>xt.max&&Y--),N.min=X[H],N.max=X[Y]}else N.show&&N.auto&&wn(xt,ht,N,t[G],N.sorted);N.idxs[0]=H,N.idxs[1]=Y}else if(G>0&&N.show&&N.auto){let[J,ht]=N.facets,xt=J.scale,Mt=ht.scale,[Bt,zt]=t[G],Ht=_[xt],ie=_[Mt];Ht!=null&&wn(Ht,k[xt],J,Bt,J.sorted),ie!=null&&wn(ie,k[Mt],ht,zt,ht.sorted),N.min=ht.min,N.max=ht.max}});for(let N in _){let G=_[N],J=k[N];if(G.from==null&&(J==null||J.min==null)){let ht=G.range(n,G.min==pe?null:G.min,G.max==-pe?null:G.max,N);G.min=ht[0],G.max=ht[1]}}}for(let N in _){let G=_[N];if(G.from!=null){let J=_[G.from];if(J.min==null)G.min=G.max=null;else{let ht=G.range(n,J.min,J.max,N);G.min=ht[0],G.max=ht[1]}}}let w={},U=!1;for(let N in _){let G=_[N],J=P[N];if(J.min!=G.min||J.max!=G.max){J.min=G.min,J.max=G.max;let ht=J.distr;J._min=ht==3?Gi(J.min):ht==4?pc(J.min,J.asinh):ht==100?J.fwd(J.min):J.min,J._max=ht==3?Gi(J.max):ht==4?pc(J.max,J.asinh):ht==100?J.fwd(J.max):J.max,w[N]=U=!0}}if(U){M.forEach((N,G)=>{s==2?G>0&&w.y&&(N._paths=null):w[N.scale]&&(N._paths=null)});for(let N in w)ae=!0,fn("setScale",N);kt.show&&kt.left>=0&&(ee=V=!0)}for(let N in k)k[N]=null}function Ps(_){let w=Sc(H-1,0,A-1),U=Sc(Y+1,0,A-1);for(;_[w]==null&&w>0;)w--;for(;_[U]==null&&U<A-1;)U++;return[w,U]}function Le(){A>0&&(M.forEach((_,w)=>{if(w>0&&_.show&&(Bn(w,!1),Bn(w,!0),_._paths==null)){Vt!=_.alpha&&(u.globalAlpha=Vt=_.alpha);let U=s==2?[0,t[w][0].length-1]:Ps(t[w]);_._paths=_.paths(n,w,U[0],U[1]),Vt!=1&&(u.globalAlpha=Vt=1)}}),M.forEach((_,w)=>{if(w>0&&_.show){Vt!=_.alpha&&(u.globalAlpha=Vt=_.alpha),_._paths!=null&&rs(w,!1);{let U=_._paths!=null?_._paths.gaps:null,N=_.points.show(n,w,H,Y,U),G=_.points.filter(n,w,N,U);(N||G)&&(_.points._paths=_.points.paths(n,w,H,Y,G),rs(w,!0))}Vt!=1&&(u.globalAlpha=Vt=1),fn("drawSeries",w)}}))}function Bn(_,w){let U=w?M[_].points:M[_];U._stroke=U.stroke(n,_),U._fill=U.fill(n,_)}function rs(_,w){let U=w?M[_].points:M[_],{stroke:N,fill:G,clip:J,flags:ht,_stroke:xt=U._stroke,_fill:Mt=U._fill,_width:Bt=U.width}=U._paths;Bt=Ne(Bt*be,3);let zt=null,Ht=Bt%2/2;w&&Mt==null&&(Mt=Bt>0?"#fff":xt);let ie=U.pxAlign==1&&Ht>0;if(ie&&u.translate(Ht,Ht),!w){let De=Kt-Bt/2,me=gt-Bt/2,ue=At+Bt,re=Yt+Bt;zt=new Path2D,zt.rect(De,me,ue,re)}w?Zn(xt,Bt,U.dash,U.cap,Mt,N,G,ht,J):Dn(_,xt,Bt,U.dash,U.cap,Mt,N,G,ht,zt,J),ie&&u.translate(-Ht,-Ht)}function Dn(_,w,U,N,G,J,ht,xt,Mt,Bt,zt){let Ht=!1;Mt!=0&&T.forEach((ie,De)=>{if(ie.series[0]==_){let me=M[ie.series[1]],ue=t[ie.series[1]],re=(me._paths||wo).band;us(re)&&(re=ie.dir==1?re[0]:re[1]);let Zt,Pe=null;me.show&&re&&I0(ue,H,Y)?(Pe=ie.fill(n,De)||J,Zt=me._paths.clip):re=null,Zn(w,U,N,G,Pe,ht,xt,Mt,Bt,zt,Zt,re),Ht=!0}}),Ht||Zn(w,U,N,G,J,ht,xt,Mt,Bt,zt)}let ai=Rr|Ec;function Zn(_,w,U,N,G,J,ht,xt,Mt,Bt,zt,Ht){$n(_,w,U,N,G),(Mt||Bt||Ht)&&(u.save(),Mt&&u.clip(Mt),Bt&&u.clip(Bt)),Ht?(xt&ai)==ai?(u.clip(Ht),zt&&u.clip(zt),ia(G,ht),Is(_,J,w)):xt&Ec?(ia(G,ht),u.clip(Ht),Is(_,J,w)):xt&Rr&&(u.save(),u.clip(Ht),zt&&u.clip(zt),ia(G,ht),u.restore(),Is(_,J,w)):(ia(G,ht),Is(_,J,w)),(Mt||Bt||Ht)&&u.restore()}function Is(_,w,U){U>0&&(w instanceof Map?w.forEach((N,G)=>{u.strokeStyle=Gt=G,u.stroke(N)}):w!=null&&_&&u.stroke(w))}function ia(_,w){w instanceof Map?w.forEach((U,N)=>{u.fillStyle=Qt=N,u.fill(U)}):w!=null&&_&&u.fill(w)}function Ug(_,w,U,N){let G=v[_],J;if(N<=0)J=[0,0];else{let ht=G._space=G.space(n,_,w,U,N),xt=G._incrs=G.incrs(n,_,w,U,N,ht);J=j_(w,U,xt,N,ht)}return G._found=J}function ec(_,w,U,N,G,J,ht,xt,Mt,Bt){let zt=ht%2/2;m==1&&u.translate(zt,zt),$n(xt,ht,Mt,Bt,xt),u.beginPath();let Ht,ie,De,me,ue=G+(N==0||N==3?-J:J);U==0?(ie=G,me=ue):(Ht=G,De=ue);for(let re=0;re<_.length;re++)w[re]!=null&&(U==0?Ht=De=_[re]:ie=me=_[re],u.moveTo(Ht,ie),u.lineTo(De,me));u.stroke(),m==1&&u.translate(-zt,-zt)}function Ng(_){let w=!0;return v.forEach((U,N)=>{if(!U.show)return;let G=P[U.scale];if(G.min==null){U._show&&(w=!1,U._show=!1,hr(!1));return}else U._show||(w=!1,U._show=!0,hr(!1));let J=U.side,ht=J%2,{min:xt,max:Mt}=G,[Bt,zt]=Ug(N,xt,Mt,ht==0?S:z);if(zt==0)return;let Ht=G.distr==2,ie=U._splits=U.splits(n,N,xt,Mt,Bt,zt,Ht),De=G.distr==2?ie.map(Zt=>X[Zt]):ie,me=G.distr==2?X[ie[1]]-X[ie[0]]:Bt,ue=U._values=U.values(n,U.filter(n,De,N,zt,me),N,zt,me);U._rotate=J==2?U.rotate(n,ue,N,zt):0;let re=U._size;U._size=Qn(U.size(n,ue,N,_)),re!=null&&U._size!=re&&(w=!1)}),w}function Fg(_){let w=!0;return na.forEach((U,N)=>{let G=U(n,N,bi,_);G!=wi[N]&&(w=!1),wi[N]=G}),w}function Og(){for(let _=0;_<v.length;_++){let w=v[_];if(!w.show||!w._show)continue;let U=w.side,N=U%2,G,J,ht=w.stroke(n,_),xt=U==0||U==3?-1:1;if(w.label){let Cn=w.labelGap*xt,zn=en((w._lpos+Cn)*be);ve(w.labelFont[0],ht,"center",U==2?xo:Zf),u.save(),N==1?(G=J=0,u.translate(zn,en(gt+Yt/2)),u.rotate((U==3?-pa:pa)/2)):(G=en(Kt+At/2),J=zn),u.fillText(w.label,G,J),u.restore()}let[Mt,Bt]=w._found;if(Bt==0)continue;let zt=P[w.scale],Ht=N==0?At:Yt,ie=N==0?Kt:gt,De=en(w.gap*be),me=w._splits,ue=zt.distr==2?me.map(Cn=>X[Cn]):me,re=zt.distr==2?X[me[1]]-X[me[0]]:Mt,Zt=w.ticks,Pe=w.border,Ze=Zt.show?en(Zt.size*be):0,qe=w._rotate*-pa/180,ke=d(w._pos*be),je=(Ze+De)*xt,Un=ke+je;J=N==0?Un:0,G=N==1?Un:0;let Nn=w.font[0],Jn=w.align==1?Sr:w.align==2?fc:qe>0?Sr:qe<0?fc:N==0?"center":U==3?fc:Sr,li=qe||N==1?"middle":U==2?xo:Zf;ve(Nn,ht,Jn,li);let ci=w.font[1]*w.lineGap,An=me.map(Cn=>d(l(Cn,zt,Ht,ie))),Ti=w._values;for(let Cn=0;Cn<Ti.length;Cn++){let zn=Ti[Cn];if(zn!=null){N==0?G=An[Cn]:J=An[Cn],zn=""+zn;let vr=zn.indexOf(`
`)==-1?[zn]:zn.split(/\n/gm);for(let hs=0;hs<vr.length;hs++){let Kn=vr[hs];qe?(u.save(),u.translate(G,J+hs*ci),u.rotate(qe),u.fillText(Kn,0,0),u.restore()):u.fillText(Kn,G,J+hs*ci)}}}Zt.show&&ec(An,Zt.filter(n,ue,_,Bt,re),N,U,ke,Ze,Ne(Zt.width*be,3),Zt.stroke(n,_),Zt.dash,Zt.cap);let Tn=w.grid;Tn.show&&ec(An,Tn.filter(n,ue,_,Bt,re),N,N==0?2:1,N==0?gt:Kt,N==0?Yt:At,Ne(Tn.width*be,3),Tn.stroke(n,_),Tn.dash,Tn.cap),Pe.show&&ec([ke],[1],N==0?1:0,N==0?1:2,N==1?gt:Kt,N==1?Yt:At,Ne(Pe.width*be,3),Pe.stroke(n,_),Pe.dash,Pe.cap)}fn("drawAxes")}function hr(_){M.forEach((w,U)=>{U>0&&(w._paths=null,_&&(s==1?(w.min=null,w.max=null):w.facets.forEach(N=>{N.min=null,N.max=null})))})}let sa=!1,nc=!1,fo=[];function Bg(){nc=!1;for(let _=0;_<fo.length;_++)fn(...fo[_]);fo.length=0}function ur(){sa||(X0(Mf),sa=!0)}function zg(_,w=!1){sa=!0,nc=w,_(n),Mf(),w&&fo.length>0&&queueMicrotask(Bg)}n.batch=zg;function Mf(){if(Jt&&(En(),Jt=!1),ae&&(Ot(),ae=!1),Ut){if(Ve(g,Sr,Q),Ve(g,xo,K),Ve(g,yo,S),Ve(g,Mo,z),Ve(x,Sr,Q),Ve(x,xo,K),Ve(x,yo,S),Ve(x,Mo,z),Ve(p,yo,dt),Ve(p,Mo,R),f.width=en(dt*be),f.height=en(R*be),v.forEach(({_el:_,_show:w,_size:U,_pos:N,side:G})=>{if(_!=null)if(w){let J=G===3||G===0?U:0,ht=G%2==1;Ve(_,ht?"left":"top",N-J),Ve(_,ht?"width":"height",U),Ve(_,ht?"top":"left",ht?K:Q),Ve(_,ht?"height":"width",ht?z:S),yc(_,Fs)}else Vn(_,Fs)}),Gt=Qt=ne=fe=we=Ae=cn=_e=Xt=null,Vt=1,go(!0),Q!=nt||K!=It||S!=St||z!=wt){hr(!1);let _=S/St,w=z/wt;if(kt.show&&!ee&&kt.left>=0){kt.left*=_,kt.top*=w,fr&&Ri(fr,en(kt.left),0,S,z),dr&&Ri(dr,0,en(kt.top),S,z);for(let U=0;U<Je.length;U++){let N=Je[U];N!=null&&(Si[U]*=_,ki[U]*=w,Ri(N,Qn(Si[U]),Qn(ki[U]),S,z))}}if(ze.show&&!Se&&ze.left>=0&&ze.width>0){ze.left*=_,ze.width*=_,ze.top*=w,ze.height*=w;for(let U in lc)Ve(gr,U,ze[U])}nt=Q,It=K,St=S,wt=z}fn("setSize"),Ut=!1}dt>0&&R>0&&(u.clearRect(0,0,f.width,f.height),fn("drawClear"),b.forEach(_=>_()),fn("draw")),ze.show&&Se&&(ra(ze),Se=!1),kt.show&&ee&&(Ds(null,!0,!1),ee=!1),_t.show&&_t.live&&V&&(oc(),V=!1),c||(c=!0,n.status=1,fn("ready")),yt=!1,sa=!1}n.redraw=(_,w)=>{ae=w||!1,_!==!1?as(I,C.min,C.max):ur()};function ic(_,w){let U=P[_];if(U.from==null){if(A==0){let N=U.range(n,w.min,w.max,_);w.min=N[0],w.max=N[1]}if(w.min>w.max){let N=w.min;w.min=w.max,w.max=N}if(A>1&&w.min!=null&&w.max!=null&&w.max-w.min<1e-16)return;_==I&&U.distr==2&&A>0&&(w.min=fi(w.min,t[0]),w.max=fi(w.max,t[0]),w.min==w.max&&w.max++),k[_]=w,Jt=!0,ur()}}n.setScale=ic;let sc,rc,fr,dr,Sf,bf,pr,mr,wf,Ef,Be,Ge,os=!1,pn=kt.drag,hn=pn.x,un=pn.y;kt.show&&(kt.x&&(sc=jn(m0,x)),kt.y&&(rc=jn(g0,x)),C.ori==0?(fr=sc,dr=rc):(fr=rc,dr=sc),Be=kt.left,Ge=kt.top);let ze=n.select=Qe({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),gr=ze.show?jn(p0,ze.over?x:g):null;function ra(_,w){if(ze.show){for(let U in _)ze[U]=_[U],U in lc&&Ve(gr,U,_[U]);w!==!1&&fn("setSelect")}}n.setSelect=ra;function kg(_,w){let U=M[_],N=$t?Ft[_]:null;if(U.show)N&&yc(N,Fs);else{N&&Vn(N,Fs);let G=zi?Je[0]:Je[_];Ri(G,-10,-10,S,z)}}function as(_,w,U){ic(_,{min:w,max:U})}function Ei(_,w,U,N){w.focus!=null&&Xg(_),w.show!=null&&M.forEach((G,J)=>{J>0&&(_==J||_==null)&&(G.show=w.show,kg(J,w.show),s==2?(as(G.facets[0].scale,null,null),as(G.facets[1].scale,null,null)):as(G.scale,null,null),ur())}),U!==!1&&fn("setSeries",_,w),N&&_o("setSeries",n,_,w)}n.setSeries=Ei;function Vg(_,w){Qe(T[_],w)}function Hg(_,w){_.fill=de(_.fill||null),_.dir=Me(_.dir,-1),w=w??T.length,T.splice(w,0,_)}function Gg(_){_==null?T.length=0:T.splice(_,1)}n.addBand=Hg,n.setBand=Vg,n.delBand=Gg;function Wg(_,w){M[_].alpha=w,kt.show&&Je[_]&&(Je[_].style.opacity=w),$t&&Ft[_]&&(Ft[_].style.opacity=w)}let Hi,ls,Ls,_r={focus:!0};function Xg(_){if(_!=Ls){let w=_==null,U=ln.alpha!=1;M.forEach((N,G)=>{if(s==1||G>0){let J=w||G==0||G==_;N._focus=w?null:J,U&&Wg(G,J?1:ln.alpha)}}),Ls=_,U&&ur()}}$t&&Bi&&rt(td,ut,_=>{kt._lock||(he(_),Ls!=null&&Ei(null,_r,!0,Ke.setSeries))});function Ai(_,w,U){let N=P[w];U&&(_=_/be-(N.ori==1?K:Q));let G=S;N.ori==1&&(G=z,_=G-_),N.dir==-1&&(_=G-_);let J=N._min,ht=N._max,xt=_/G,Mt=J+(ht-J)*xt,Bt=N.distr;return Bt==3?Ar(10,Mt):Bt==4?D0(Mt,N.asinh):Bt==100?N.bwd(Mt):Mt}function qg(_,w){let U=Ai(_,I,w);return fi(U,t[0],H,Y)}n.valToIdx=_=>fi(_,t[0]),n.posToIdx=qg,n.posToVal=Ai,n.valToPos=(_,w,U)=>P[w].ori==0?o(_,P[w],U?At:S,U?Kt:0):a(_,P[w],U?Yt:z,U?gt:0),n.setCursor=(_,w,U)=>{Be=_.left,Ge=_.top,Ds(null,w,U)};function Af(_,w){Ve(gr,Sr,ze.left=_),Ve(gr,yo,ze.width=w)}function Tf(_,w){Ve(gr,xo,ze.top=_),Ve(gr,Mo,ze.height=w)}let po=C.ori==0?Af:Tf,mo=C.ori==1?Af:Tf;function Yg(){if($t&&_t.live)for(let _=s==2?1:0;_<M.length;_++){if(_==0&&te)continue;let w=_t.values[_],U=0;for(let N in w)qt[_][U++].firstChild.nodeValue=w[N]}}function oc(_,w){if(_!=null&&(_.idxs?_.idxs.forEach((U,N)=>{ft[N]=U}):O0(_.idx)||ft.fill(_.idx),_t.idx=ft[0]),$t&&_t.live){for(let U=0;U<M.length;U++)(U>0||s==1&&!te)&&$g(U,ft[U]);Yg()}V=!1,w!==!1&&fn("setLegend")}n.setLegend=oc;function $g(_,w){let U=M[_],N=_==0&&F==2?X:t[_],G;te?G=U.values(n,_,w)??at:(G=U.value(n,w==null?null:N[w],_,w),G=G==null?at:{_:G}),_t.values[_]=G}function Ds(_,w,U){wf=Be,Ef=Ge,[Be,Ge]=kt.move(n,Be,Ge),kt.left=Be,kt.top=Ge,kt.show&&(fr&&Ri(fr,en(Be),0,S,z),dr&&Ri(dr,0,en(Ge),S,z));let N,G=H>Y;Hi=pe,ls=null;let J=C.ori==0?S:z,ht=C.ori==1?S:z;if(Be<0||A==0||G){N=kt.idx=null;for(let xt=0;xt<M.length;xt++){let Mt=Je[xt];Mt!=null&&Ri(Mt,-10,-10,S,z)}Bi&&Ei(null,_r,!0,_==null&&Ke.setSeries),_t.live&&(ft.fill(N),V=!0)}else{let xt,Mt,Bt;s==1&&(xt=C.ori==0?Be:Ge,Mt=Ai(xt,I),N=kt.idx=fi(Mt,t[0],H,Y),Bt=B(t[0][N],C,J,0));let zt=-10,Ht=-10,ie=0,De=0,me=!0,ue="",re="";for(let Zt=s==2?1:0;Zt<M.length;Zt++){let Pe=M[Zt],Ze=ft[Zt],qe=Ze==null?null:s==1?t[Zt][Ze]:t[Zt][1][Ze],ke=kt.dataIdx(n,Zt,N,Mt),je=ke==null?null:s==1?t[Zt][ke]:t[Zt][1][ke];V=V||je!=qe||ke!=Ze,ft[Zt]=ke;let Un=ke==N?Bt:B(s==1?t[0][ke]:t[Zt][0][ke],C,J,0);if(Zt>0&&Pe.show){let Nn=je==null?-10:W(je,s==1?P[Pe.scale]:P[Pe.facets[1].scale],ht,0);if(Bi&&je!=null){let Jn=C.ori==1?Be:Ge,li=nn(ln.dist(n,Zt,ke,Nn,Jn));if(li<Hi){let ci=ln.bias;if(ci!=0){let An=Ai(Jn,Pe.scale),Ti=je>=0?1:-1,Tn=An>=0?1:-1;Tn==Ti&&(Tn==1?ci==1?je>=An:je<=An:ci==1?je<=An:je>=An)&&(Hi=li,ls=Zt)}else Hi=li,ls=Zt}}if(V||zi){let Jn,li;C.ori==0?(Jn=Un,li=Nn):(Jn=Nn,li=Un);let ci,An,Ti,Tn,Cn,zn,vr=!0,hs=Re.bbox;if(hs!=null){vr=!1;let Kn=hs(n,Zt);Ti=Kn.left,Tn=Kn.top,ci=Kn.width,An=Kn.height}else Ti=Jn,Tn=li,ci=An=Re.size(n,Zt);if(zn=Re.fill(n,Zt),Cn=Re.stroke(n,Zt),zi)Zt==ls&&Hi<=ln.prox&&(zt=Ti,Ht=Tn,ie=ci,De=An,me=vr,ue=zn,re=Cn);else{let Kn=Je[Zt];Kn!=null&&(Si[Zt]=Ti,ki[Zt]=Tn,ad(Kn,ci,An,vr),rd(Kn,zn,Cn),Ri(Kn,Qn(Ti),Qn(Tn),S,z))}}}}if(zi){let Zt=ln.prox,Pe=Ls==null?Hi<=Zt:Hi>Zt||ls!=Ls;if(V||Pe){let Ze=Je[0];Si[0]=zt,ki[0]=Ht,ad(Ze,ie,De,me),rd(Ze,ue,re),Ri(Ze,Qn(zt),Qn(Ht),S,z)}}}if(ze.show&&os)if(_!=null){let[xt,Mt]=Ke.scales,[Bt,zt]=Ke.match,[Ht,ie]=_.cursor.sync.scales,De=_.cursor.drag;if(hn=De._x,un=De._y,hn||un){let{left:me,top:ue,width:re,height:Zt}=_.select,Pe=_.scales[Ht].ori,Ze=_.posToVal,qe,ke,je,Un,Nn,Jn=xt!=null&&Bt(xt,Ht),li=Mt!=null&&zt(Mt,ie);Jn&&hn?(Pe==0?(qe=me,ke=re):(qe=ue,ke=Zt),je=P[xt],Un=B(Ze(qe,Ht),je,J,0),Nn=B(Ze(qe+ke,Ht),je,J,0),po(ti(Un,Nn),nn(Nn-Un))):po(0,J),li&&un?(Pe==1?(qe=me,ke=re):(qe=ue,ke=Zt),je=P[Mt],Un=W(Ze(qe,ie),je,ht,0),Nn=W(Ze(qe+ke,ie),je,ht,0),mo(ti(Un,Nn),nn(Nn-Un))):mo(0,ht)}else oa()}else{let xt=nn(wf-Sf),Mt=nn(Ef-bf);if(C.ori==1){let ie=xt;xt=Mt,Mt=ie}hn=pn.x&&xt>=pn.dist,un=pn.y&&Mt>=pn.dist;let Bt=pn.uni;Bt!=null?hn&&un&&(hn=xt>=Bt,un=Mt>=Bt,!hn&&!un&&(Mt>xt?un=!0:hn=!0)):pn.x&&pn.y&&(hn||un)&&(hn=un=!0);let zt,Ht;hn&&(C.ori==0?(zt=pr,Ht=Be):(zt=mr,Ht=Ge),po(ti(zt,Ht),nn(Ht-zt)),un||mo(0,ht)),un&&(C.ori==1?(zt=pr,Ht=Be):(zt=mr,Ht=Ge),mo(ti(zt,Ht),nn(Ht-zt)),hn||po(0,J)),!hn&&!un&&(po(0,0),mo(0,0))}if(pn._x=hn,pn._y=un,_==null){if(U){if(Bf!=null){let[xt,Mt]=Ke.scales;Ke.values[0]=xt!=null?Ai(C.ori==0?Be:Ge,xt):null,Ke.values[1]=Mt!=null?Ai(C.ori==1?Be:Ge,Mt):null}_o(Kf,n,Be,Ge,S,z,N)}if(Bi){let xt=U&&Ke.setSeries,Mt=ln.prox;Ls==null?Hi<=Mt&&Ei(ls,_r,!0,xt):Hi>Mt?Ei(null,_r,!0,xt):ls!=Ls&&Ei(ls,_r,!0,xt)}}V&&(_t.idx=N,oc()),w!==!1&&fn("setCursor")}let cs=null;Object.defineProperty(n,"rect",{get(){return cs==null&&go(!1),cs}});function go(_=!1){_?cs=null:(cs=x.getBoundingClientRect(),fn("syncRect",cs))}function Cf(_,w,U,N,G,J,ht){kt._lock||os&&_!=null&&_.movementX==0&&_.movementY==0||(ac(_,w,U,N,G,J,ht,!1,_!=null),_!=null?Ds(null,!0,!0):Ds(w,!0,!1))}function ac(_,w,U,N,G,J,ht,xt,Mt){if(cs==null&&go(!1),he(_),_!=null)U=_.clientX-cs.left,N=_.clientY-cs.top;else{if(U<0||N<0){Be=-10,Ge=-10;return}let[Bt,zt]=Ke.scales,Ht=w.cursor.sync,[ie,De]=Ht.values,[me,ue]=Ht.scales,[re,Zt]=Ke.match,Pe=w.axes[0].side%2==1,Ze=C.ori==0?S:z,qe=C.ori==1?S:z,ke=Pe?J:G,je=Pe?G:J,Un=Pe?N:U,Nn=Pe?U:N;if(me!=null?U=re(Bt,me)?l(ie,P[Bt],Ze,0):-10:U=Ze*(Un/ke),ue!=null?N=Zt(zt,ue)?l(De,P[zt],qe,0):-10:N=qe*(Nn/je),C.ori==1){let Jn=U;U=N,N=Jn}}Mt&&((U<=1||U>=S-1)&&(U=Us(U,S)),(N<=1||N>=z-1)&&(N=Us(N,z))),xt?(Sf=U,bf=N,[pr,mr]=kt.move(n,U,N)):(Be=U,Ge=N)}let lc={width:0,height:0,left:0,top:0};function oa(){ra(lc,!1)}let Rf,Pf,If,Lf;function Df(_,w,U,N,G,J,ht){os=!0,hn=un=pn._x=pn._y=!1,ac(_,w,U,N,G,J,ht,!0,!1),_!=null&&(rt(dc,xc,Uf,!1),_o(jf,n,pr,mr,S,z,null));let{left:xt,top:Mt,width:Bt,height:zt}=ze;Rf=xt,Pf=Mt,If=Bt,Lf=zt,oa()}function Uf(_,w,U,N,G,J,ht){os=pn._x=pn._y=!1,ac(_,w,U,N,G,J,ht,!1,!0);let{left:xt,top:Mt,width:Bt,height:zt}=ze,Ht=Bt>0||zt>0,ie=Rf!=xt||Pf!=Mt||If!=Bt||Lf!=zt;if(Ht&&ie&&ra(ze),pn.setScale&&Ht&&ie){let De=xt,me=Bt,ue=Mt,re=zt;if(C.ori==1&&(De=Mt,me=zt,ue=xt,re=Bt),hn&&as(I,Ai(De,I),Ai(De+me,I)),un)for(let Zt in P){let Pe=P[Zt];Zt!=I&&Pe.from==null&&Pe.min!=pe&&as(Zt,Ai(ue+re,Zt),Ai(ue,Zt))}oa()}else kt.lock&&(kt._lock=!kt._lock,Ds(null,!0,!1));_!=null&&(Tt(dc,xc),_o(dc,n,Be,Ge,S,z,null))}function Zg(_,w,U,N,G,J,ht){if(kt._lock)return;he(_);let xt=os;if(os){let Mt=!0,Bt=!0,zt=10,Ht,ie;C.ori==0?(Ht=hn,ie=un):(Ht=un,ie=hn),Ht&&ie&&(Mt=Be<=zt||Be>=S-zt,Bt=Ge<=zt||Ge>=z-zt),Ht&&Mt&&(Be=Be<pr?0:S),ie&&Bt&&(Ge=Ge<mr?0:z),Ds(null,!0,!0),os=!1}Be=-10,Ge=-10,Ds(null,!0,!0),xt&&(os=xt)}function Nf(_,w,U,N,G,J,ht){kt._lock||(he(_),Wt(),oa(),_!=null&&_o(ed,n,Be,Ge,S,z,null))}function Ff(){v.forEach(Q_),Ct(n.width,n.height,!0)}Os(ma,wr,Ff);let xr={};xr.mousedown=Df,xr.mousemove=Cf,xr.mouseup=Uf,xr.dblclick=Nf,xr.setSeries=(_,w,U,N)=>{let G=Ke.match[2];U=G(n,w,U),U!=-1&&Ei(U,N,!0,!1)},kt.show&&(rt(jf,x,Df),rt(Kf,x,Cf),rt(Qf,x,_=>{he(_),go(!1)}),rt(td,x,Zg),rt(ed,x,Nf),Ac.add(n),n.syncRect=go);let aa=n.hooks=i.hooks||{};function fn(_,w,U){nc?fo.push([_,w,U]):_ in aa&&aa[_].forEach(N=>{N.call(null,n,w,U)})}(i.plugins||[]).forEach(_=>{for(let w in _.hooks)aa[w]=(aa[w]||[]).concat(_.hooks[w])});let Of=(_,w,U)=>U,Ke=Qe({key:null,setSeries:!1,filters:{pub:fd,sub:fd},scales:[I,M[1]?M[1].scale:null],match:[dd,dd,Of],values:[null,null]},kt.sync);Ke.match.length==2&&Ke.match.push(Of),kt.sync=Ke;let Bf=Ke.key,cc=rp(Bf);function _o(_,w,U,N,G,J,ht){Ke.filters.pub(_,w,U,N,G,J,ht)&&cc.pub(_,w,U,N,G,J,ht)}cc.sub(n);function Jg(_,w,U,N,G,J,ht){Ke.filters.sub(_,w,U,N,G,J,ht)&&xr[_](null,w,U,N,G,J,ht)}n.pub=Jg;function Kg(){cc.unsub(n),Ac.delete(n),ct.clear(),Mc(ma,wr,Ff),h.remove(),ut?.remove(),fn("destroy")}n.destroy=Kg;function hc(){fn("init",i,t),Lt(t||i.data,!1),k[I]?ic(I,k[I]):Wt(),Se=ze.show&&(ze.width>0||ze.height>0),ee=V=!0,Ct(i.width,i.height)}return M.forEach(Cs),v.forEach(ea),e?e instanceof HTMLElement?(e.appendChild(h),hc()):e(n,hc):hc(),n}gn.assign=Qe;gn.fmtNum=Dc;gn.rangeNum=ga;gn.rangeLog=xa;gn.rangeAsinh=Ic;gn.orient=zs;gn.pxRatio=be;gn.join=W0;gn.fmtDate=Nc,gn.tzDate=e_;gn.sync=rp;{gn.addGap=O_,gn.clipGaps=Ma;let i=gn.paths={points:up};i.linear=dp,i.stepped=k_,i.bars=V_,i.spline=G_}Ci();var Ea=[[],[7,4],[1.5,4],[10,3,2,3]];function _p({colors:i,times:t,seek:e}){let n=Rt("div",{class:"plots"}),s=[];function r(o,a){for(let{chart:c}of s)c.destroy();n.replaceChildren();let l=c=>kn(i.tone(c));s=o.map(c=>{let h=kn(i.line(c.color)),f=c.series.map(()=>Rt("output")),u=c.series.map((v,P)=>{let T=document.createElementNS("http://www.w3.org/2000/svg","svg");T.setAttribute("class","mark");let I=document.createElementNS("http://www.w3.org/2000/svg","path");I.setAttribute("d","M1 4H21"),I.setAttribute("stroke",h),I.setAttribute("stroke-width",2),I.setAttribute("stroke-dasharray",Ea[P%Ea.length].join(" ")),T.append(I);let L=c.series.length>1?[T,Rt("span",{text:v.label})]:v.label?[Rt("span",{text:v.label})]:[];return Rt("span",{class:"entry"},...L,f[P])}),p=c.unit?` (${c.unit})`:"",g=Rt("figure",{},Rt("figcaption",{},Rt("b",{text:c.title+p}),...u));n.append(g);let x={stroke:l(["gray",0]),font:"11px system-ui, sans-serif",labelFont:"11px system-ui, sans-serif",grid:{stroke:l(["gray",.82]),width:1},ticks:{show:!1},gap:4,values:(v,P)=>P.map(T=>mn(T,6))},m=new gn({width:a,height:132,pxAlign:0,legend:{show:!1},padding:[6,10,0,0],cursor:{show:!1},select:{show:!1},scales:{x:{time:!1},y:{range:(v,P,T)=>tx(P,T)}},axes:[{...x,size:22},{...x,size:50,space:20}],series:[{},...c.series.map((v,P)=>({stroke:h,width:1.8,pxAlign:0,dash:Ea[P%Ea.length],points:{show:!1}}))]},[t,...c.series.map(v=>v.values)],g),d=Rt("div",{class:"now"}),E=c.series.map(()=>Rt("div",{class:"dot"}));for(let v of E)v.style.background=h;m.over.append(d,...E);let M=v=>{v.buttons&1&&e(m.posToIdx(v.clientX-m.over.getBoundingClientRect().left))};return m.over.addEventListener("pointerdown",v=>{m.over.setPointerCapture(v.pointerId),M(v)}),m.over.addEventListener("pointermove",M),{chart:m,now:d,dots:E,values:f,plot:c}})}return{element:n,build:r,show(o){for(let{chart:a,now:l,dots:c,values:h,plot:f}of s){let u=a.valToPos(t[o],"x");l.style.transform=`translateX(${u}px)`,f.series.forEach((p,g)=>{let x=p.values[o],m=Number.isFinite(x);h[g].textContent=mn(x),c[g].style.display=m?"":"none",m&&(c[g].style.transform=`translate(${u}px, ${a.valToPos(x,"y")}px)`)})}}}}function tx(i,t){if(i===null||t===null)return[-1,1];let e=1e-6*Math.max(Math.abs(i),Math.abs(t))||1,n=t-i>e?.06*(t-i):Math.max(.1*Math.abs(t),e);return[i-n,t+n]}Ci();var Hc=3;function ex({unit:i,ends:[t,e],values:n,states:s},r){let o=`${mn(n[r])}${i==="\xB0"?"":" "}${i}`.trim();if(s[r]===-2)return`${o}, below ${mn(t)}`;if(s[r]===2)return`${o}, above ${mn(e)}`;if(s[r])return`${o}, at the ${s[r]<0?"lower":"upper"} end`;let a=[t===null?"":`from ${mn(t)}`,e===null?"":`to ${mn(e)}`];return`${o}, ${a.filter(Boolean).join(" ")}`}function xp({data:i,place:t}){let e=Rt("div",{class:"rings","aria-hidden":"true"}),n=Rt("dl"),s=i.ranges.map(r=>{let o=Rt("dd"),a=Rt("div",{class:"end"});n.append(Rt("dt",{text:r.name}),o);for(let l of r.left)n.append(Rt("dd",{class:"left",text:l}));return r.point!==null&&e.append(a),{...r,cell:o,ring:a}});return{rings:e,element:Rt("section",{class:"ranges"},Rt("h2",{text:"Ranges"}),n),show(r,o){for(let c of s){if(c.cell.textContent=ex(c,r),c.cell.classList.toggle("outside",Math.abs(c.states[r])===2),c.ring.hidden=!o||!c.states[r],c.ring.hidden||c.point===null)continue;let[h,f]=t(c.point,r);c.ring.style.transform=`translate(${h}px, ${f}px)`}let a=s.filter(c=>Math.abs(c.states[r])===2).map(c=>c.name);if(!a.length)return"";let l=a.length>Hc?` and ${a.length-Hc} more`:"";return`${a.slice(0,Hc).join(", ")}${l} outside ${a.length>1?"their ranges":"its range"}`}}}Ci();var Wn=60;function vp({data:i,colors:t,hover:e,choose:n}){let{diagram:s}=i,[r,o,a,l]=s.box,c=Ue("svg",{class:"diagram",viewBox:`${r*Wn} ${o*Wn} ${a*Wn} ${l*Wn}`,role:"group","aria-label":"Structural diagram"});c.style.width=`${a*Wn}px`;let h=P=>"M"+P.map(([T,I])=>`${(T*Wn).toFixed(1)} ${(I*Wn).toFixed(1)}`).join("L"),f=s.arrows.map(P=>{let T=[Ue("path",{d:h(P.line),fill:"none"}),Ue("path",{d:h(P.head)+"Z"})],I=Ue("g",{class:"arrow","data-shows":`arrow ${P.ends.join("-")}`},...T);return c.append(I),{holder:I,made:T,ends:P.ends}}),u=(P,T)=>Ue("circle",{cx:P[0]*Wn,cy:P[1]*Wn,r:s.radius*Wn,"stroke-width":2,...T}),p=(P,T,I,L)=>Ue("text",{x:P[0]*Wn,y:P[1]*Wn+T,class:L,"text-anchor":"middle",text:I}),[g,x]=s.frame.at.map(P=>P*Wn),m=Math.max(20,2.8*s.frame.name.length+7),d=Ue("rect",{x:g-m,y:x-12,width:2*m,height:24,"stroke-width":2}),E=Array.from({length:Math.floor(m/4)+1},(P,T)=>`M${g-m+8*T-2} ${x-13}l5 -6`).join(""),M=Ue("path",{d:`M${g-m-4} ${x-12}H${g+m+4}${E}`,fill:"none","stroke-width":1.3});c.append(d,M,p(s.frame.at,3,s.frame.name,"name-of-frame"));let v=i.groups.map(P=>{let T=s.places[P.number],I=u(T,{}),L=Ue("g",{class:"group",tabindex:0,role:"button","aria-pressed":"false","aria-label":`Group ${P.number}, ${P.label}: ${P.bodies.join(", ")}`,"data-group":P.number}),b=p(T,11,`(${P.bodies.length}, ${P.driven})`,"counts");return L.append(I,p(T,0,P.number,"number"),b,p(s.labels[P.number],3,P.label,"label halo")),L.addEventListener("pointerenter",()=>e(P.number)),L.addEventListener("pointerleave",()=>e(0)),L.addEventListener("focus",()=>L.matches(":focus-visible")&&e(P.number)),L.addEventListener("blur",()=>e(0)),L.addEventListener("click",()=>n(P.number)),L.addEventListener("keydown",y=>{y.key!=="Enter"&&y.key!==" "||(y.preventDefault(),y.stopPropagation(),n(P.number))}),c.append(L),{node:L,disk:I,number:P.number}});return{element:c,recolor(P,T){let I=(...L)=>kn(t.tone(...L));for(let{node:L,disk:b,number:y}of v){let C=P>0&&y!==P,F=i.colors==="bodies"?"gray":y;b.setAttribute("fill",I([F,t.dark?.78:.85],C)),b.setAttribute("stroke",I([F,0],C)),b.setAttribute("stroke-width",y===P?3.2:2),L.classList.toggle("dim",C),L.setAttribute("aria-pressed",String(y===T))}d.setAttribute("fill",I(["paper",0]));for(let L of[d,M])L.setAttribute("stroke",I(["frame",0],P>0));for(let{made:L,ends:b}of f){let y=I(["gray",.2],P>0&&!b.includes(P));L[0].setAttribute("stroke",y),L[1].setAttribute("fill",y)}}}}function yp({data:i,colors:t}){let e=i.bodies.map(({name:n,owner:s})=>{let r=Rt("span",{class:"square"});return{square:r,owner:s,made:Rt("span",{class:"body"},r,Rt("span",{text:n}))}});return{element:Rt("section",{class:"bodies"},Rt("h2",{text:"Bodies"}),Rt("div",{},...e.map(({made:n})=>n))),recolor(n){for(let{square:s,owner:r}of e)s.style.background=kn(t.tone([i.owners[r].color,0],n(r)))}}}function Mp({data:i,conditioning:t}){let e=Rt("h2"),n=Rt("dl"),s=null,r={};function o(a){r={},n.replaceChildren();for(let[l,c]of a)r[l]=Rt("dd",{text:c}),n.append(Rt("dt",{text:l}),r[l])}return{element:Rt("section",{class:"numbers","aria-live":"off"},e,n),show(a,l){if(a!==s){s=a;let c=i.groups[a-1];e.textContent=c?`Group ${c.number}`:"Whole mechanism";let h=c&&(c.after.length?c.after.join(", "):"the frame only");o(c?[["Type",c.label],["Bodies",c.bodies.join(", ")],["Joints",c.joints.join(", ")],["Level",`${c.level}, after ${h}`],["Driven",`${c.driven} freedom${c.driven===1?"":"s"}`],...c.solver?[["Solver",c.solver]]:[],["Conditioning",""]]:[["Conditioning",""],["Time",""]])}if(a)r.Conditioning.textContent=`${mn(t[a-1][l],3)} now, 1 at best`;else{let c=1/0,h=0;t.forEach((p,g)=>{p[l]<c&&([c,h]=[p[l],g+1])}),r.Conditioning.textContent=h?`${mn(c,3)} now, group ${h}`:"not solved at this time";let f=i.times.length,u=`${mn(i.times[0])} to ${mn(i.times[f-1])} ${i.clock}`;r.Time.textContent=`${u}, ${i.steps} step${i.steps===1?"":"s"}`}}}}Ci();var Jw=16,jt=JSON.parse(document.getElementById("data").textContent),Qo=jt.times=hi(jt.times,Float64Array),Kw=jt.conditioning.map(i=>hi(i)),jl=new Set(jt.missing),jw=new Set(jt.lost),Qw=new Set(jt.failed);for(let i of jt.plots)for(let t of i.series)t.values=hi(t.values);for(let i of jt.ranges)[i.values,i.states]=[hi(i.values),hi(i.states,Int8Array)];var lr=Hf(jt),Oi=Vf(jt.palette),pf=i=>jt.owners[i].group,Mg=i=>jt.owners[i].color,Ts=new Set(jt.points.flatMap((i,t)=>i.traced?[t]:[])),mf=0,Ko=0,ar=jt.named,Jo=-1,ye=null,cf=[1,1];function t1(){let i=document.createElement("canvas");try{return!!i.getContext("webgl2")}catch{return!1}}var $e=Rt("div",{class:"stage",tabindex:-1}),Ql=Rt("div",{class:"tools",role:"toolbar","aria-label":"View"}),Sg=Rt("div",{class:"alarm",role:"status"}),gf=Rt("div",{class:"ring"}),_f=Wf(),jo=jt.forces&&Gf({data:jt}),hf={shown:"all",factor:1},e1=Rt("button",{class:"toggle dark",title:"Light or dark (D)","aria-label":"Light or dark",text:"\u25D0",onclick:()=>ho(!Oi.dark)}),bg=vp({data:jt,colors:Oi,hover:i=>uf(i,Ko),choose:i=>uf(mf,i===Ko?0:i)}),wg=yp({data:jt,colors:Oi}),Eg=Mp({data:jt,conditioning:Kw}),xf=xp({data:jt,place:(i,t)=>ye.project(lr.place(jt.points[i].owner,t,jt.points[i].at))}),Ce=Yf({data:jt,colors:Oi,draw:Lg,times:Qo,worst:hi(jt.worst),lost:jw}),tc=_p({colors:Oi,times:Qo,seek:Ce.seek}),Ag=Rt("img",{class:"printed",alt:""});function vf(){return(Ce.state.playing?0:mf)||Ko}function uf(i,t){[mf,Ko]=[i,t],Tg()}function Tg(){let i=vf(),t=e=>i>0&&pf(e)!==i;ye&&(ye.recolor(t),Rg()),wg.recolor(t),bg.recolor(i,Ko),Ce.request()}function Cg(i){let t=[null,null,null];return Array.from(Qo,(e,n)=>jl.has(n)?t:lr.place(i.owner,n,i.at))}function Rg(){let i=vf();ye.trace([...Ts].map(t=>{let e=jt.points[t],n=pf(e.owner);return{points:Cg(e),color:Oi.line(Mg(e.owner),i>0&&n!==i)}}))}function Pg(i){Ts.delete(i)||Ts.add(i),Dg.querySelectorAll("input")[i].checked=Ts.has(i),ye&&Rg(),ff(),yf(),Ce.request()}function n1(i){let t=jt.unit.meters,e=Cg(i),n=["x","y","z"].slice(0,jt.dimension).map((s,r)=>({label:s,values:Float64Array.from(e,o=>o[r]===null?NaN:(o[r]*jt.size+jt.center[r])/t)}));return{title:`position ${i.name}`,unit:jt.unit.name,color:Mg(i.owner),series:n}}function yf(){let i=[...Ts].filter(e=>!jt.points[e].traced&&pf(jt.points[e].owner)).map(e=>n1(jt.points[e])),t=Math.max(200,As.clientWidth-32-(As.offsetWidth-As.clientWidth?0:4));tc.build([...i.reverse(),...jt.plots],t),tc.show(Ce.state.frame)}var Ig=()=>ar==="bodies"?jt.bodies:jt.points.map((i,t)=>({...i,k:t})).filter(({k:i,kind:t})=>Ts.has(i)||ar==="all"||ar==="joints"&&t==="joint");function ff(){_f.set(ar==="none"?[]:Ig().map(i=>({text:i.name,point:i})))}function i1(i){if(ar==="none"||!ye)return;let t=Ig().map(e=>ye.project(lr.place(e.owner,i,e.at)));_f.show(t,Math.max(9,ye.reach*ye.perUnit()),...cf)}function Lg(i,t,e){if(ye&&(ye.show(i,t,e),jo&&jo.show(i,jl.has(i)?{shown:"none"}:hf,ye.project),i1(i),Jo>=0)){let[s,r]=ye.project(lr.place(jt.points[Jo].owner,i,jt.points[Jo].at));gf.style.transform=`translate(${s}px, ${r}px)`}let n=xf.show(i,ye&&!jl.has(i));Sg.textContent=Qw.has(i)?jl.has(i)?"Not solved at this time; the position is that of another":"Singular position":n,Eg.show(vf(),i),tc.show(i),document.body.dataset.frame=i}function _g(){!$e.clientWidth||!$e.clientHeight||(cf=[$e.clientWidth,$e.clientHeight],ye&&ye.resize(...cf),Ce.paint(),Ce.request())}function ho(i){Oi.setDark(i),document.documentElement.dataset.theme=i?"dark":"light",yf(),Ce.paint(),Tg()}function xg(i,t){let e=-1,n=Jw;return jt.points.forEach((s,r)=>{let[o,a]=ye.project(lr.place(s.owner,Ce.state.frame,s.at)),l=Math.hypot(o-i,a-t);l<n&&([e,n]=[r,l])}),e}function vg(i){i!==Jo&&(Jo=i,gf.classList.toggle("seen",i>=0),$e.classList.toggle("picking",i>=0),$e.title=i>=0?`${jt.points[i].name}: click to ${Ts.has(i)?"stop tracing":"trace"}`:"",Ce.request())}function s1(){let i=new Map,t=0,e=0,n=r=>{let o=$e.getBoundingClientRect();return[r.clientX-o.left,r.clientY-o.top]};$e.addEventListener("pointerdown",r=>{r.target.closest(".tools")||($e.setPointerCapture(r.pointerId),i.set(r.pointerId,n(r)),t=e=0)}),$e.addEventListener("pointermove",r=>{let o=n(r),a=i.get(r.pointerId);if(!a){!Ce.state.playing&&r.pointerType==="mouse"&&vg(xg(...o));return}i.set(r.pointerId,o);let[l,c]=[o[0]-a[0],o[1]-a[1]];if(t+=Math.abs(l)+Math.abs(c),!(t<4))if(i.size>1){let[h,f]=[...i.values()],u=Math.hypot(h[0]-f[0],h[1]-f[1]);e&&ye.zoom(u/e,.5*(h[0]+f[0]),.5*(h[1]+f[1])),e=u,ye.pan(.5*l,.5*c)}else r.shiftKey||r.buttons&6?ye.pan(l,c):ye.drag(l,c)});let s=r=>{if(i.delete(r.pointerId)&&r.type==="pointerup"&&t<4){let a=xg(...n(r));a>=0&&Pg(a)}};$e.addEventListener("pointerup",s),$e.addEventListener("pointercancel",s),$e.addEventListener("pointerleave",()=>vg(-1)),$e.addEventListener("contextmenu",r=>r.preventDefault()),$e.addEventListener("wheel",r=>{r.preventDefault(),ye.zoom(Math.exp(-.0012*r.deltaY),...n(r))},{passive:!1})}var yg={" ":Ce.toggle,ArrowLeft:i=>Ce.seek(Ce.state.frame-(i.shiftKey?10:1)),ArrowRight:i=>Ce.seek(Ce.state.frame+(i.shiftKey?10:1)),Home:()=>Ce.seek(0),End:()=>Ce.seek(Qo.length-1),"+":()=>Ce.faster(1),"-":()=>Ce.faster(-1),l:Ce.setLoop,d:()=>ho(!Oi.dark),f:()=>ye&&ye.fit(),Escape:()=>uf(0,0)};document.addEventListener("keydown",i=>{let t=i.target.closest("select, button, summary, input:not([type=range])");if(i.ctrlKey||i.metaKey||i.altKey||t&&i.key!=="Escape")return;let e=ye&&ye.presets[Number(i.key)-1],n=e?e[1]:yg[i.key]||yg[i.key.toLowerCase()];n&&(i.preventDefault(),n(i))});var Dg=Rt("div",{class:"points"},...jt.points.map((i,t)=>{let e=Rt("input",{type:"checkbox",onchange:()=>Pg(t)});return e.checked=Ts.has(t),Rt("label",{},e,Rt("span",{text:i.name}))})),As=Rt("aside",{},Rt("section",{class:"structure"},Rt("h2",{text:"Structure"}),Rt("div",{class:"scroll"},bg.element),Rt("p",{class:"caption",text:"Groups: number, (bodies, driven freedoms), type"})),...jt.colors==="bodies"?[wg.element]:[],Eg.element,...jt.ranges.length?[xf.element]:[],Rt("section",{class:"curves"},Rt("h2",{text:"Motion"}),tc.element),Rt("section",{},Rt("details",{},Rt("summary",{text:"Traced points"}),Dg))),r1=Rt("header",{},Rt("h1",{text:jt.title}),Rt("p",{text:[jt.summary,jt.note].filter(Boolean).join(" \xB7 ")}),e1);jo&&$e.append(jo.element);$e.append(xf.rings,_f.element,gf,Sg,Ql,Ag);document.getElementById("page").append(r1,$e,As,Ce.element);var df=(i,t,e)=>Rt("select",{"aria-label":i,onchange:n=>{e(n.target.value),Ce.request()}},...t.map(([n,s])=>Rt("option",{value:n,text:s})));function o1(){let i=[["all","Forces: all"],["joint","Forces: in joints"],["point","Forces: on points"],["none","Forces: none"]],t=new Set(jt.forces.arrows.map(s=>s.kind)),e=[[1,"Arrows \xD7 1"],[2,"Arrows \xD7 2"],[5,"Arrows \xD7 5"],[20,"Arrows \xD7 20"],[.5,"Arrows \xD7 \xBD"]],n=Rt("p",{class:"forces"});for(let[s,r]of[["joint","in joints, on their second bodies"],["point","on points"]])t.has(s)&&n.append(Rt("span",{class:s,text:r}));n.append(jt.forces.scale),Ql.append(df("Forces",i.filter(([s])=>t.size>1||!["joint","point"].includes(s)),s=>{hf.shown=s,n.hidden=s==="none"}),df("Length of arrows",e,s=>{hf.factor=Number(s)})),$e.append(n)}async function a1(){let i={data:jt,poses:lr,colors:Oi,frames:Qo.length,changed:Ce.request};if(jt.dimension===2?ye=qf(i):t1()&&(ye=(await Promise.resolve().then(()=>(gg(),mg))).spaceView(i)),ye){$e.prepend(ye.element),Ql.append(...ye.presets.map(([o,a],l)=>Rt("button",{text:o,title:`${o} (${l+1})`,onclick:()=>{a()}})));let r=df("Names",[["traced","Names: traced points"],["joints","Names: joints"],["bodies","Names: bodies"],["all","Names: all"],["none","Names: none"]],o=>{ar=o,ff()});r.value=ar,Ql.append(r),jo&&o1(),s1()}else $e.append(Rt("p",{class:"without",text:"This browser offers no WebGL, which mechanisms in space are drawn with. Structure and plots are shown."}));ff();let t=matchMedia("(prefers-color-scheme: dark)");t.addEventListener("change",()=>ho(t.matches)),ho(t.matches),new ResizeObserver(_g).observe($e);let e=As.clientWidth;new ResizeObserver(()=>{As.clientWidth!==e&&(e=As.clientWidth,yf())}).observe(As),_g();let n=!1;addEventListener("beforeprint",()=>{n=Oi.dark,ho(!1),Lg(Ce.state.frame,!1,performance.now());let s=ye&&ye.picture(Ce.state.frame);s&&(Ag.src=s),document.body.classList.toggle("pictured",!!s)}),addEventListener("afterprint",()=>ho(n)),document.body.dataset.ready="yes"}window.groupkin={bodies:()=>jt.owners.map(i=>i.key),matrix:i=>lr.matrix(jt.owners.findIndex(t=>t.key===i),Ce.state.frame),seek:Ce.seek,frame:()=>Ce.state.frame};a1();})();
