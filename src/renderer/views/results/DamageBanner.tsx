import { Button } from '@mantine/core';
import { damageWords, type SampleDamage } from '../../../shared/model/damage.ts';
import { ProblemBanner } from '../../ui/index.ts';
import { useReadAgain } from './useReadAgain.ts';

interface DamageProperties {
  sessionId: number;
  damage: readonly SampleDamage[];
}

/** Stored samples that cannot be read: what is shown beside them is computed without their runs. */
export function DamageBanner({ sessionId, damage }: DamageProperties) {
  const { busy, problem, start } = useReadAgain(sessionId);
  return (
    <>
      {problem ? <ProblemBanner problem={problem} /> : null}
      <ProblemBanner
        tone="warn"
        problem={{
          message: damage.map(damageWords).join(' '),
          safe: 'No figure is computed from these runs; the output of the tool and everything else can be read and exported.',
          next: 'Read them again from that output to build their samples anew.',
        }}
        actions={
          <Button
            variant="default"
            loading={busy}
            onClick={() => start([...new Set(damage.map(({ runId }) => runId))])}
          >
            Read again from raw output
          </Button>
        }
      />
    </>
  );
}
