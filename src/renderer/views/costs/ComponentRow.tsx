import { NumberInput, Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { CatalogueEntry, CostComponent, Priced } from '../../../shared/model/cost.ts';
import { formatMoney, formatNumber } from '../../../shared/util/format.ts';
import { IconAction } from '../../ui/index.ts';
import classes from './costs.module.css';

interface Properties {
  component: CostComponent;
  /** Entry of the catalogue; absent for custom items and for entries that no longer exist. */
  entry: CatalogueEntry | undefined;
  part: Priced['parts'][number] | undefined;
  currency: string;
  onChange(component: CostComponent): void;
  onRemove(): void;
}

/** One part: what is provisioned, its price with the calculation, or why there is none. */
export function ComponentRow({ component, entry, part, currency, onChange, onRemove }: Properties) {
  const title = component.kind === 'own' ? component.label : (entry?.title ?? component.id);
  const { item, problem } = part ?? {};
  return (
    <li className={classes.component}>
      <div className={classes.componentHead}>
        {component.kind === 'own' ? (
          <TextInput
            aria-label="Name of the item"
            value={component.label}
            onChange={(event) => onChange({ ...component, label: event.currentTarget.value })}
          />
        ) : (
          <div>
            <strong>{title}</strong>{' '}
            <span className="kp-small">
              {entry ? `${entry.provider}, ${entry.region}` : 'no longer in the catalogue'}
            </span>
          </div>
        )}
        <div className={classes.money}>
          <strong>{formatMoney(item?.perHour, currency)}</strong>
          <span>/h</span>
        </div>
        <div className={classes.money}>
          <strong>{formatMoney(item?.perMonth, currency)}</strong>
          <span>/month</span>
        </div>
        <IconAction label={`Remove ${title}`} onClick={onRemove}>
          <IconTrash size={16} stroke={1.6} />
        </IconAction>
      </div>
      <div className={classes.amounts}>
        <Amounts component={component} entry={entry} onChange={onChange} />
      </div>
      {problem && (
        <p className={classes.warning}>
          {problem.message} {problem.next}
        </p>
      )}
      {item && (
        <p className={classes.how}>
          {item.how}
          {item.asOf && <span> · price as of {item.asOf}</span>}
        </p>
      )}
      {item?.performance?.map((sentence) => (
        <p key={sentence} className={classes.how}>
          {sentence}
        </p>
      ))}
      {item?.warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
    </li>
  );
}

function Amounts({ component, entry, onChange }: Pick<Properties, 'component' | 'entry' | 'onChange'>) {
  switch (component.kind) {
    case 'instance':
      return (
        <Amount
          label="Count"
          value={component.count}
          onChange={(count) => onChange({ ...component, count: count ?? 0 })}
        />
      );
    case 'volume':
      return <VolumeAmounts component={component} entry={entry} onChange={onChange} />;
    case 'own':
      return (
        <>
          <Amount
            label="Amount"
            value={component.amount ?? undefined}
            placeholder="missing"
            onChange={(amount) => onChange({ ...component, amount: amount ?? null })}
          />
          <Select
            label="Per"
            w={110}
            allowDeselect={false}
            data={['hour', 'month', 'year']}
            value={component.per}
            onChange={(per) => {
              if (per === 'hour' || per === 'month' || per === 'year') onChange({ ...component, per });
            }}
          />
        </>
      );
  }
}

interface VolumeProperties {
  component: Extract<CostComponent, { kind: 'volume' }>;
  entry: CatalogueEntry | undefined;
  onChange(component: CostComponent): void;
}

function VolumeAmounts({ component, entry, onChange }: VolumeProperties) {
  const unit = entry?.throughputUnit ?? 'MiB/s';
  const { iops: _, throughputMibS: __, ...rest } = component;
  const { iops, throughputMibS } = component;
  return (
    <>
      <Amount
        label="Size"
        unit="GB"
        value={component.sizeGb}
        onChange={(sizeGb) => onChange({ ...component, sizeGb: sizeGb ?? 0 })}
      />
      <Amount
        label="IOPS"
        value={iops}
        placeholder={includedWords(entry?.included?.iops)}
        onChange={(next) =>
          onChange({
            ...rest,
            ...(throughputMibS !== undefined && { throughputMibS }),
            ...(next !== undefined && { iops: next }),
          })
        }
      />
      <Amount
        label="Throughput"
        unit={unit}
        value={throughputMibS}
        placeholder={includedWords(entry?.included?.throughput)}
        onChange={(next) =>
          onChange({
            ...rest,
            ...(iops !== undefined && { iops }),
            ...(next !== undefined && { throughputMibS: next }),
          })
        }
      />
      <Amount
        label="Count"
        value={component.count}
        onChange={(count) => onChange({ ...component, count: count ?? 0 })}
      />
    </>
  );
}

/** Placeholder without input: the amount included in the price of the size. */
const includedWords = (included: number | undefined): string =>
  included === undefined ? 'set by size' : included > 0 ? `${formatNumber(included)} included` : 'none included';

interface AmountProperties {
  label: string;
  unit?: string;
  value: number | undefined;
  /** Shown while it is empty. */
  placeholder?: string;
  onChange(value: number | undefined): void;
}

const Amount = ({ label, unit, value, placeholder = '', onChange }: AmountProperties) => (
  <NumberInput
    label={unit ? `${label}, ${unit}` : label}
    w={placeholder === '' ? 110 : 138}
    min={0}
    hideControls
    thousandSeparator=","
    placeholder={placeholder}
    classNames={{ input: classes.figure ?? '' }}
    value={value ?? ''}
    onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
  />
);
