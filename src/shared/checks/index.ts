import type { Finding } from '../model/finding.ts';
import type { StartFacts } from './check.ts';
import { measureChecks, restChecks, severalChecks } from './measure.ts';
import { generatorChecks, targetChecks } from './target.ts';

export type { Check, StartFacts } from './check.ts';
export { type LimitFacts, limitChecks } from './limits.ts';
export { cachedReadFindings, type IdleSetting, idleSettingFindings, measureChecks, severalChecks } from './measure.ts';
export { CHECKS, checkOf, codesBy, type EngineFinding, gatheredFindings, isOfLaunch, kindOf } from './registry.ts';
export { type ComparedSide, comparedFindings, runFindings } from './runs/index.ts';
export { durabilityOfTables, leastDurable } from './target.ts';
export { type UnwatchedFacts, unwatchedChecks } from './unwatched.ts';

/** Fairness rules that can be checked before a start, worst first within each family. */
export const startChecks = (facts: StartFacts): Finding[] =>
  facts.watchesOnly
    ? []
    : [
        ...generatorChecks(facts),
        ...targetChecks(facts),
        ...severalChecks(facts.experiment),
        ...measureChecks(facts.experiment),
        ...restChecks(facts),
      ];
