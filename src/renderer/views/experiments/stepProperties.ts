import type { Experiment } from '../../../shared/model/experiment.ts';
import type { ToolInfo } from '../../../shared/model/tool.ts';
import type { DocumentState } from './document.ts';

/** What every step gets: the document as read, what was found in it, and how to change it. */
export interface StepProperties {
  experiment: Experiment;
  state: DocumentState;
  tools: readonly ToolInfo[];
  edit(change: (experiment: Experiment) => Experiment): void;
}
