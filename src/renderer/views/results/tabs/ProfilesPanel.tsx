import { Select } from '@mantine/core';
import { useState } from 'react';
import { byChange, hasProfile, levelPairs } from '../../../../shared/captures/index.ts';
import { formOf } from '../../../../shared/model/capture.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import type { Run, SessionDetail } from '../../../../shared/model/session.ts';
import { formatLevels } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { ProfileTable } from '../../../domain/index.ts';
import { Panel, ProblemBanner } from '../../../ui/index.ts';

/** Maximum runs of a side whose counters are read. */
const MOST_RUNS = 50;

interface Properties {
  detail: SessionDetail;
  result: SessionResult;
  runs: readonly Run[];
}

/**
 * Counters of two levels of a factor in one table, per operation: statements, waits, states of the server; first of the cell that differs
 * most from its baseline. Renders nothing if runs have none.
 */
export function ProfilesPanel({ detail, result, runs }: Properties) {
  const factors = result.factors.filter(({ levels }) => levels.length > 1);
  const isKept = (detail.experiment.captures ?? []).some((capture) => formOf(capture) === 'difference');
  if (factors.length === 0 || !(isKept || runs.some(hasProfile))) return null;
  return <Profiles result={result} factors={factors} />;
}

function Profiles({ result, factors }: { result: SessionResult; factors: SessionResult['factors'] }) {
  const tested = factors.find(({ name }) => name === result.answer?.factor);
  const [factorName, setFactor] = useState((tested ?? factors[0])?.name ?? '');
  const factor = factors.find(({ name }) => name === factorName) ?? factors[0];
  const levels = factor?.levels ?? [];
  const known = result.ratios?.find((ratios) => ratios.factor === factor?.name)?.level ?? levels[0];
  const [base, setBase] = useState<string>();
  const baseline = levels.find((level) => String(level) === base) ?? known ?? '';
  const pairs = levelPairs(result.cells, factor?.name ?? '', baseline);
  const nameOf = ({ level, others }: (typeof pairs)[number]): string =>
    [formatLevels({ [factor?.name ?? '']: level }), others].filter(Boolean).join(' · ');
  const [chosen, setChosen] = useState<string>();
  const pair = pairs.find((each) => nameOf(each) === chosen) ?? byChange(pairs)[0];
  const [one, other] = [(pair?.one ?? []).slice(0, MOST_RUNS), (pair?.other ?? []).slice(0, MOST_RUNS)];
  const profiles = useCall('captures.compare', { one, other }, { enabled: pair !== undefined });
  if (!factor || !pair) return null;
  if (profiles.error) return <ProblemBanner problem={profiles.error.problem} />;
  const found = (profiles.data ?? []).filter(({ rows, why }) => rows.length > 0 || why !== undefined);
  if (found.length === 0) return null;
  const sides = [formatLevels({ [factor.name]: baseline }), formatLevels({ [factor.name]: pair.level })] as const;
  return (
    <>
      <Panel title="Profiles side by side" note={`${sides[0]} → ${sides[1]}${pair.others ? `, ${pair.others}` : ''}`}>
        <div className="kp-bar kp-said">
          {factors.length > 1 ? (
            <Select
              aria-label="Factor of the profiles"
              w={180}
              allowDeselect={false}
              data={factors.map(({ name }) => name)}
              value={factor.name}
              onChange={(name) => {
                setFactor(name ?? '');
                setBase(undefined);
                setChosen(undefined);
              }}
            />
          ) : null}
          <Select
            aria-label="Baseline of the profiles"
            w={200}
            allowDeselect={false}
            data={levels.map((level) => ({ value: String(level), label: formatLevels({ [factor.name]: level }) }))}
            value={String(baseline)}
            onChange={(level) => setBase(level ?? undefined)}
          />
          <Select
            aria-label="Cell of the profiles"
            w={320}
            allowDeselect={false}
            searchable
            data={pairs.map(nameOf)}
            value={nameOf(pair)}
            onChange={(name) => setChosen(name ?? undefined)}
          />
        </div>
      </Panel>
      {found.map((profile) => (
        <ProfileTable key={profile.name} profile={profile} sides={sides} choice={null} />
      ))}
    </>
  );
}
