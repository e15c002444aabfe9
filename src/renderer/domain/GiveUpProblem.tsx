import type { Problem } from '../../shared/model/problem.ts';
import { GiveUp } from '../../shared/model/restore.ts';
import { ProblemBanner, TypedConfirmation } from '../ui/index.ts';

interface Properties {
  problem: Problem;
  /** What is done then. */
  act: string;
  busy: boolean;
  /** Called with the name that was typed. */
  onGiveUp(name: string): void;
}

/** Why a host or target cannot go or lead elsewhere; where that is for what sessions have changed there, it can be given up by typing the name. */
export function GiveUpProblem({ problem, act, busy, onGiveUp }: Properties) {
  const { data } = GiveUp.safeParse(problem.details);
  return (
    <>
      <ProblemBanner problem={problem} />
      {data && (
        <TypedConfirmation
          phrase={data.giveUp}
          label={`Type ${data.giveUp} to leave it changed`}
          act={act}
          busy={busy}
          onConfirm={onGiveUp}
        />
      )}
    </>
  );
}
