/**
 * Draws a node of the graph as a square. After the program for points of sigma.js
 * (https://github.com/jacomyal/sigma.js/tree/main/packages/sigma/src/rendering/programs/node-point, MIT), whose points
 * are squares until their fragments are cut to a disc.
 */
import { NodePointProgram } from 'sigma/rendering';

const FRAGMENTS = `
precision mediump float;
varying vec4 v_color;
varying float v_border;
void main(void) {
  vec2 m = abs(gl_PointCoord - vec2(0.5, 0.5));
  if (max(m.x, m.y) > 0.44) discard;
  gl_FragColor = v_color;
}
`;

type Attributes = Record<string, unknown>;

export class SquareProgram<N extends Attributes, E extends Attributes> extends NodePointProgram<N, E> {
  override getDefinition() {
    return { ...super.getDefinition(), FRAGMENT_SHADER_SOURCE: FRAGMENTS };
  }
}
