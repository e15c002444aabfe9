/** Left edge and width of a plot, in pixels of the page. */
export interface PlotEdges {
  left: number;
  width: number;
}

export const isSamePlot = (one: PlotEdges | undefined, other: PlotEdges | undefined): boolean =>
  one?.left === other?.left && one?.width === other?.width;
