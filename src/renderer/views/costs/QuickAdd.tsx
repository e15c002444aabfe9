import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { readQuick } from '../../../shared/costs/index.ts';
import type { CatalogueEntry } from '../../../shared/model/cost.ts';
import { formatMoney } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';
import classes from './costs.module.css';
import { EMPTY_SPEC } from './draft.ts';

/** Adds a configuration from a line of words, with its price before it is added. */
export function QuickAdd({ entries }: { entries: readonly CatalogueEntry[] }) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const [asked] = useDebouncedValue(text, 120);
  const now = readQuick(asked, entries);
  // A problem of earlier words is none while others are typed.
  const settled = asked === text;
  const { data } = useCall('costs.evaluate', { spec: now.spec ?? EMPTY_SPEC }, { enabled: now.spec !== undefined });
  const save = useAction('costs.saveConfiguration', {
    onSuccess: () => {
      setText('');
      setTried(false);
    },
  });
  const add = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const { spec } = readQuick(text, entries);
    if (spec) save.mutate({ spec });
  };
  const [lacking] = data?.parts.flatMap(({ problem }) => problem ?? []) ?? [];
  const price =
    now.spec &&
    (data?.total
      ? `${now.spec.label}: ${formatMoney(data.total.perMonth, now.spec.currency)} per month`
      : (lacking?.message ?? now.spec.label));
  const refused = save.error?.problem.message;
  return (
    <form className={classes.quick} onSubmit={add}>
      <TextInput
        aria-label="Add a configuration"
        placeholder="m5.large gp3 500 GB 6000 IOPS"
        w={340}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setTried(false);
          save.reset();
        }}
      />
      <Button type="submit" variant="default" leftSection={<IconPlus size={14} />} loading={save.isPending}>
        Add
      </Button>
      <span role="status" data-tone={(tried && now.problem) || refused ? 'warn' : undefined}>
        {refused ?? ((text.trim() === '' || !settled) && !tried ? '' : (now.problem ?? price))}
      </span>
    </form>
  );
}
