import type { Experiment } from '../../../shared/model/experiment.ts';
import type { ToolInfo } from '../../../shared/model/tool.ts';
import type { DocumentState, ExperimentDocument } from './document.ts';
import { MatrixStep } from './MatrixStep.tsx';
import { MeasureStep } from './MeasureStep.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import type { StepId } from './steps.ts';
import { WhereStep } from './WhereStep.tsx';
import { WorkloadStep } from './WorkloadStep.tsx';

/** What every step gets: the document as read, what was found in it, and how to change it. */
export interface StepProperties {
  experiment: Experiment;
  state: DocumentState;
  tools: readonly ToolInfo[];
  edit(change: (experiment: Experiment) => Experiment): void;
}

export function StepContent({
  step,
  document,
  ...properties
}: StepProperties & { step: StepId; document: ExperimentDocument }) {
  switch (step) {
    case 'workload':
      return <WorkloadStep {...properties} />;
    case 'where':
      return <WhereStep {...properties} />;
    case 'matrix':
      return <MatrixStep {...properties} />;
    case 'measurement':
      return <MeasureStep {...properties} />;
    case 'review':
      return <ReviewStep {...properties} document={document} />;
  }
}
