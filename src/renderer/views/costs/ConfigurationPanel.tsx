import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { IconCoins, IconPlus } from '@tabler/icons-react';
import { HOURS_PER_MONTH } from '../../../shared/costs/index.ts';
import type { CatalogueEntry, Configuration, CostComponent, CostSpec, Priced } from '../../../shared/model/cost.ts';
import { formatMoney } from '../../../shared/util/format.ts';
import { useAction } from '../../client/index.ts';
import { CostNotes } from '../../domain/index.ts';
import { EmptyState, Panel, ProblemBanner } from '../../ui/index.ts';
import { ComponentRow } from './ComponentRow.tsx';
import classes from './costs.module.css';
import { type Draft, EMPTY_SPEC, keysOf, ownFigure, type Pricing } from './draft.ts';

interface Properties {
  draft: Draft;
  pricing: Pricing;
  entries: readonly CatalogueEntry[];
  saved: readonly Configuration[];
  onChange(draft: Draft): void;
}

/** The parts of a system, each with its price, and the total. Saved under its name. */
export function ConfigurationPanel({ draft, pricing: { priced, problem }, entries, saved, onChange }: Properties) {
  const { spec } = draft;
  const before = saved.find(({ id }) => id === draft.id);
  const set = (next: CostSpec): void => onChange({ ...draft, spec: next });
  const setParts = (components: CostComponent[]): void => set({ ...spec, components });
  return (
    <Panel
      title={before ? 'Edit configuration' : 'New configuration'}
      note={before?.spec.label}
      flush
      actions={
        <>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconPlus size={14} />}
            onClick={() => setParts([...spec.components, ownFigure()])}
          >
            Custom item
          </Button>
          {spec.components.length > 0 && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              onClick={() => onChange({ spec: { ...EMPTY_SPEC, currency: spec.currency } })}
            >
              {before ? 'New' : 'Clear'}
            </Button>
          )}
        </>
      }
    >
      {spec.components.length === 0 ? (
        <EmptyState icon={<IconCoins size={28} stroke={1.4} />} title="Build a configuration">
          Add instances and volumes from the catalogue, or custom items: hardware per year, a contract per month.
        </EmptyState>
      ) : (
        <>
          <NameAndBasis draft={draft} before={before} onChange={onChange} />
          <Components spec={spec} parts={priced?.parts} entries={entries} onChange={setParts} />
          {problem && <ProblemBanner problem={problem} />}
          <Totals priced={priced} currency={spec.currency} />
        </>
      )}
    </Panel>
  );
}

interface NameProperties {
  draft: Draft;
  /** The saved configuration that this changes. */
  before: Configuration | undefined;
  onChange(draft: Draft): void;
}

function NameAndBasis({ draft, before, onChange }: NameProperties) {
  const { spec } = draft;
  const save = useAction('costs.saveConfiguration', {
    onSuccess: ({ id, spec: stored }) => onChange({ id, spec: stored }),
  });
  const isNamed = spec.label.trim() !== '';
  const isSaved = before !== undefined && JSON.stringify(before.spec) === JSON.stringify(spec);
  const problem = save.error?.problem;
  return (
    <>
      <div className={classes.label}>
        <TextInput
          style={{ flex: '1 1 220px' }}
          aria-label="Name of the configuration"
          placeholder="Name, for example “io2, 16,000 IOPS”"
          value={spec.label}
          onChange={(event) => {
            save.reset();
            onChange({ ...draft, spec: { ...spec, label: event.currentTarget.value } });
          }}
        />
        <Basis spec={spec} onChange={(next) => onChange({ ...draft, spec: next })} />
        {before && spec.label.trim() !== before.spec.label && (
          <Button variant="default" disabled={!isNamed || save.isPending} onClick={() => save.mutate({ spec })}>
            Save as new
          </Button>
        )}
        <Button
          variant="default"
          disabled={!isNamed || isSaved || save.isPending}
          title={isNamed ? undefined : 'Enter a name.'}
          onClick={() => save.mutate({ spec, ...(before && { id: before.id }) })}
        >
          {isSaved ? 'Saved' : 'Save'}
        </Button>
      </div>
      {problem && <ProblemBanner problem={problem} />}
    </>
  );
}

/** Currency, and hours of a month. */
function Basis({ spec, onChange }: { spec: CostSpec; onChange(spec: CostSpec): void }) {
  const { hoursPerMonth, ...rest } = spec;
  // Catalogue entries have a currency; custom items use the one selected here.
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
        title={isOwn ? undefined : 'Currency of the catalogue entries; nothing is converted'}
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
        title="Hours per month that the system runs. Monthly prices are charged in full."
        value={hoursPerMonth ?? ''}
        onChange={(next) =>
          onChange({ ...rest, ...(typeof next === 'number' && next >= 1 && { hoursPerMonth: next }) })
        }
      />
    </>
  );
}

const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY'];

interface ComponentsProperties {
  spec: CostSpec;
  parts: Priced['parts'] | undefined;
  entries: readonly CatalogueEntry[];
  onChange(components: CostComponent[]): void;
}

function Components({ spec: { components, currency }, parts, entries, onChange }: ComponentsProperties) {
  const keys = keysOf(components);
  return (
    <ol className={classes.components}>
      {components.map((component, index) => (
        <ComponentRow
          key={keys[index]}
          component={component}
          entry={component.kind === 'own' ? undefined : entries.find((entry) => entry.id === component.id)}
          part={parts?.[index]}
          currency={currency}
          onChange={(next) => onChange(components.map((old, place) => (place === index ? next : old)))}
          onRemove={() => onChange(components.filter((_, place) => place !== index))}
        />
      ))}
    </ol>
  );
}

function Totals({ priced, currency }: { priced: Priced | undefined; currency: string }) {
  const total = priced?.total;
  if (priced && !total) return <p className={classes.noTotal}>No total: a price is missing.</p>;
  return (
    <>
      <div className={classes.totals} aria-live="polite">
        <Total words="per hour" amount={total?.perHour} currency={currency} />
        <Total words="per month" amount={total?.perMonth} currency={currency} />
        <Total words="per year" amount={total?.perYear} currency={currency} />
      </div>
      {total && <CostNotes result={total} />}
    </>
  );
}

const Total = ({ words, amount, currency }: { words: string; amount: number | undefined; currency: string }) => (
  <div>
    <strong>{formatMoney(amount, currency)}</strong>
    <span>{words}</span>
  </div>
);
