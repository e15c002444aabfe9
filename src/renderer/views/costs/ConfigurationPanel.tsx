import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { IconCoins, IconPlus } from '@tabler/icons-react';
import { HOURS_PER_MONTH } from '../../../shared/costs/index.ts';
import type { CatalogueEntry, CostComponent, CostResult, CostSpec } from '../../../shared/model/cost.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { formatMoney } from '../../../shared/util/format.ts';
import { CostNotes } from '../../domain/index.ts';
import { EmptyState, Panel, ProblemBanner } from '../../ui/index.ts';
import { ComponentRow } from './ComponentRow.tsx';
import { EMPTY_SPEC, keysOf, ownFigure } from './components.ts';
import classes from './costs.module.css';

interface Properties {
  spec: CostSpec;
  result: CostResult | undefined;
  problem: Problem | undefined;
  entries: readonly CatalogueEntry[];
  onChange(spec: CostSpec): void;
}

/** What a system is made of, each part with its price, and what all of it costs. */
export function ConfigurationPanel({ spec, result, problem, entries, onChange }: Properties) {
  const set = (components: CostComponent[]): void => onChange({ ...spec, components });
  const addOwn = (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      leftSection={<IconPlus size={14} />}
      onClick={() => set([...spec.components, ownFigure()])}
    >
      Own figure
    </Button>
  );
  return (
    <Panel
      title="Configuration"
      flush
      actions={
        <>
          {addOwn}
          {spec.components.length > 0 && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              onClick={() => onChange({ ...EMPTY_SPEC, currency: spec.currency })}
            >
              Clear
            </Button>
          )}
        </>
      }
    >
      {spec.components.length === 0 ? (
        <EmptyState icon={<IconCoins size={28} stroke={1.4} />} title="Build a configuration">
          Add instances and volumes from the catalogue, or your own figures: hardware per year, a contract per month.
        </EmptyState>
      ) : (
        <>
          <div className={classes.label}>
            <TextInput
              style={{ flex: 1 }}
              aria-label="Name of the configuration"
              placeholder="Name, for example “io2, 16,000 IOPS”"
              value={spec.label}
              onChange={(event) => onChange({ ...spec, label: event.currentTarget.value })}
            />
            <Basis spec={spec} onChange={onChange} />
          </div>
          <Components spec={spec} result={result} entries={entries} onChange={set} />
          {problem && <ProblemBanner problem={problem} />}
          <div className={classes.totals} aria-live="polite">
            <Total words="per hour" amount={result?.perHour} currency={spec.currency} />
            <Total words="per month" amount={result?.perMonth} currency={spec.currency} />
            <Total words="per year" amount={result?.perYear} currency={spec.currency} />
          </div>
          {result && <CostNotes result={result} />}
        </>
      )}
    </Panel>
  );
}

/** In what money, and for how many hours of a month. */
function Basis({ spec, onChange }: Pick<Properties, 'spec' | 'onChange'>) {
  const { hoursPerMonth, ...rest } = spec;
  // What is in the catalogue has a currency; own figures are in the one that is said here.
  const isOwn = spec.components.every(({ kind }) => kind === 'own');
  return (
    <>
      <Select
        aria-label="Currency"
        w={90}
        allowDeselect={false}
        data={[...new Set([...CURRENCIES, spec.currency])]}
        value={spec.currency}
        disabled={!isOwn}
        title={isOwn ? undefined : 'That of the catalogue entries: nothing is converted'}
        onChange={(currency) => currency && onChange({ ...spec, currency })}
      />
      <NumberInput
        aria-label="Hours per month"
        w={140}
        min={1}
        max={744}
        clampBehavior="strict"
        hideControls
        suffix=" h per month"
        placeholder={`${HOURS_PER_MONTH} h per month`}
        title="What is sold by the hour runs so long; what is sold by the month is paid for the whole of it"
        value={hoursPerMonth ?? ''}
        onChange={(next) =>
          onChange({ ...rest, ...(typeof next === 'number' && next >= 1 && { hoursPerMonth: next }) })
        }
      />
    </>
  );
}

const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY'];

type ComponentsProperties = Pick<Properties, 'spec' | 'result' | 'entries'> & {
  onChange(components: CostComponent[]): void;
};

function Components({ spec: { components, currency }, result, entries, onChange }: ComponentsProperties) {
  const keys = keysOf(components);
  return (
    <ol className={classes.components}>
      {components.map((component, index) => (
        <ComponentRow
          key={keys[index]}
          component={component}
          entry={component.kind === 'own' ? undefined : entries.find((entry) => entry.id === component.id)}
          item={result?.items[index]}
          currency={currency}
          onChange={(next) => onChange(components.map((old, place) => (place === index ? next : old)))}
          onRemove={() => onChange(components.filter((_, place) => place !== index))}
        />
      ))}
    </ol>
  );
}

const Total = ({ words, amount, currency }: { words: string; amount: number | undefined; currency: string }) => (
  <div>
    <strong>{formatMoney(amount, currency)}</strong>
    <span>{words}</span>
  </div>
);
