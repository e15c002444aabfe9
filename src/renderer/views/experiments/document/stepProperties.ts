import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import type { DocumentState, ExperimentDocument } from './document.ts';
import type { Allowed } from './useAllowed.ts';

/** Properties of every step: the parsed document, its findings, and a function to change it. */
export interface StepProperties {
  experiment: Experiment;
  state: DocumentState;
  tools: readonly ToolInfo[];
  edit(change: (experiment: Experiment) => Experiment): void;
}

/** Input and results of the preflight. */
export interface PreflightProperties {
  document: ExperimentDocument;
  allowed: Allowed | undefined;
  onAllow(allowed: Allowed): void;
  /** Called with the number of lines that block a start. */
  onBlocks(count: number): void;
}
