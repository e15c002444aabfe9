import type { PreflightProperties, StepProperties } from '../document/stepProperties.ts';
import type { StepId } from '../document/steps.ts';
import { MatrixStep } from '../steps/matrix/MatrixStep.tsx';
import { MeasureStep } from '../steps/measurement/MeasureStep.tsx';
import { ReviewStep } from '../steps/review/ReviewStep.tsx';
import { WhereStep } from '../steps/where/WhereStep.tsx';
import { WorkloadStep } from '../steps/workload/WorkloadStep.tsx';

interface ContentProperties extends StepProperties {
  step: StepId;
  preflight: PreflightProperties;
  /** Called with the number of typed figures that are invalid in the document. */
  onUnfit(count: number): void;
}

export function StepContent({ step, preflight, onUnfit, ...properties }: ContentProperties) {
  switch (step) {
    case 'workload':
      return <WorkloadStep {...properties} />;
    case 'where':
      return <WhereStep {...properties} />;
    case 'matrix':
      return <MatrixStep {...properties} />;
    case 'measurement':
      return <MeasureStep {...properties} onUnfit={onUnfit} />;
    case 'review':
      return <ReviewStep {...properties} {...preflight} />;
  }
}
