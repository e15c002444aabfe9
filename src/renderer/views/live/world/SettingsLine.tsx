import { factName, factValue } from '../../../../shared/model/run-facts.ts';
import type { Run } from '../../../../shared/model/session.ts';

/** Settings beyond these are counted. */
const NAMED = 3;

/** What was set on hosts and servers for a trial, as it was read back, in one line; nothing where nothing was. */
export function SettingsLine({ run }: { run: Run | undefined }) {
  const facts = run?.facts ?? [];
  if (!run || facts.length === 0) return null;
  const named = facts.slice(0, NAMED).map((fact) => `${factName(fact)} = ${factValue(fact.found)}`);
  const more = facts.length > NAMED ? [`${facts.length - NAMED} more`] : [];
  return (
    <div className="kp-small kp-dim kp-ellipsis">
      Set for trial {run.trial + 1}: {[...named, ...more].join(' · ')}
    </div>
  );
}
