import { MatrixStep } from './MatrixStep.tsx';
import { MeasureStep } from './MeasureStep.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import type { PreflightProperties, StepProperties } from './stepProperties.ts';
import type { StepId } from './steps.ts';
import { WhereStep } from './WhereStep.tsx';
import { WorkloadStep } from './WorkloadStep.tsx';

interface ContentProperties extends StepProperties {
  step: StepId;
  preflight: PreflightProperties;
  /** How many figures were typed that the document cannot hold. */
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
