import { Button, Menu, Select } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Factor } from '../../../../../../shared/model/experiment.ts';
import { optionOf } from '../../../../../../shared/model/factor.ts';
import { type Field, shownFields } from '../../../../../forms/index.ts';
import { groupsOf, type MatrixContext, plainWords } from '../kinds.ts';
import { factorOfKind, factorOfOption } from '../newFactor.ts';
import classes from './factor.module.css';

interface Properties {
  context: MatrixContext;
  /** `edit`: it needs to be looked at before it means anything. */
  onAdd(factor: Factor, edit: boolean): void;
}

/** Options of the tool, which most factors are, by their words; every other kind in a menu. */
export const AddFactor = ({ context, onAdd }: Properties) => (
  <div className={classes.add}>
    <AddOption context={context} onAdd={onAdd} />
    <AddKind context={context} onAdd={onAdd} />
  </div>
);

function AddOption({ context, onAdd }: Properties) {
  const [search, setSearch] = useState('');
  const { factors, workload } = context.experiment;
  const varied = new Set(factors.filter(({ kind }) => kind === 'option').map(optionOf));
  // An option that a factor varies may show others: count them as applicable, too.
  const fields = shownFields(context.options, workload.options).filter((field) => !varied.has(field.name));
  return (
    <Select
      aria-label="Add a factor"
      w={200}
      searchable
      leftSection={<IconPlus size={14} />}
      placeholder="Vary an option…"
      value={null}
      searchValue={search}
      onSearchChange={setSearch}
      maxDropdownHeight={360}
      comboboxProps={{ width: 280, position: 'bottom-end' }}
      nothingFoundMessage="No option matches."
      data={byGroup(fields)}
      onChange={(name) => {
        const field = fields.find((entry) => entry.name === name);
        if (field) onAdd(factorOfOption(field, context), false);
        setSearch('');
      }}
    />
  );
}

function byGroup(fields: readonly Field[]): { group: string; items: { value: string; label: string }[] }[] {
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const field of fields) {
    const group = field.group || 'Options';
    groups.set(group, [...(groups.get(group) ?? []), { value: field.name, label: `${field.title} (${field.name})` }]);
  }
  return [...groups].map(([group, items]) => ({ group, items }));
}

const AddKind = ({ context, onAdd }: Properties) => (
  <Menu position="bottom-end" width={640}>
    <Menu.Target>
      <Button variant="default" rightSection={<IconChevronDown size={14} />}>
        Vary something else
      </Button>
    </Menu.Target>
    <Menu.Dropdown className={classes.kinds ?? ''}>
      <div className={classes.kindGroups}>
        {groupsOf(context.kinds).map(({ title, kinds }) => (
          <div key={title}>
            <Menu.Label>{title}</Menu.Label>
            {kinds.map((info) => (
              <Menu.Item
                key={info.kind}
                aria-label={info.title}
                onClick={() => onAdd(factorOfKind(info, context), info.level !== undefined)}
              >
                <strong className={classes.kindTitle}>{info.title}</strong>
                <span className={classes.kindWords}>{plainWords(info.description)}</span>
              </Menu.Item>
            ))}
          </div>
        ))}
      </div>
    </Menu.Dropdown>
  </Menu>
);
