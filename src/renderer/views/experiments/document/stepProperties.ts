import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import type { DocumentState, ExperimentDocument } from './document.ts';
import type { Allowed } from './useAllowed.ts';

/** What every step gets: the document as read, what was found in it, and how to change it. */
export interface StepProperties {
  experiment: Experiment;
  state: DocumentState;
  tools: readonly ToolInfo[];
  edit(change: (experiment: Experiment) => Experiment): void;
}

/** What the preflight needs, and what is learnt from it. */
export interface PreflightProperties {
  document: ExperimentDocument;
  allowed: Allowed | undefined;
  onAllow(allowed: Allowed): void;
  /** How many lines say that it cannot start. */
  onBlocks(count: number): void;
}
