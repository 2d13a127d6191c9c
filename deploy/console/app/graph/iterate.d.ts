/** One iteration of ForceAtlas2, which the package has without types. */
declare module 'graphology-layout-forceatlas2/iterate.js' {
  type Settings = {
    readonly linLogMode: boolean;
    readonly outboundAttractionDistribution: boolean;
    readonly adjustSizes: boolean;
    readonly edgeWeightInfluence: number;
    readonly scalingRatio: number;
    readonly strongGravityMode: boolean;
    readonly gravity: number;
    readonly slowDown: number;
    readonly barnesHutOptimize: boolean;
    readonly barnesHutTheta: number;
  };
  /** Moves the nodes, ten numbers each; an edge has three. */
  export default function iterate(settings: Settings, nodes: Float32Array, edges: Float32Array): void;
}
