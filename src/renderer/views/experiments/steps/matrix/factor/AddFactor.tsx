import { Autocomplete } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { memo, useMemo, useState } from 'react';
import { type ServerSettings, useServerSettings } from '../../../document/useServerSettings.ts';
import type { MatrixContext } from '../kinds.ts';
import { namedSetting, type Proposal, proposals } from '../newFactor.ts';
import classes from './factor.module.css';

interface Properties {
  context: MatrixContext;
  onPick(proposal: Proposal): void;
}

/** Maximum number shown at a time; a word or two narrow the list down. */
const MOST_SHOWN = 100;
const NO_TARGETS: MatrixContext['targets'] = [];

/** One search over everything that can be varied. The server's settings are requested once the list is opened. */
export const AddFactor = memo(function AddFactor({ context, onPick }: Properties) {
  const [search, setSearch] = useState('');
  const [asked, setAsked] = useState(false);
  const server = useServerSettings({ ...context, targets: asked ? context.targets : NO_TARGETS }, undefined);
  const { suggestions } = server;
  const known = useMemo(() => proposals(context, suggestions, server.asked), [context, suggestions, server.asked]);
  const all = withNamed(known, search.trim(), context, server);
  const found = matching(all, search);
  const byTitle = new Map(all.map((proposal) => [proposal.title, proposal]));
  const pick = (title: string): void => {
    const proposal = byTitle.get(title);
    if (!proposal) return;
    onPick(proposal);
    setSearch('');
  };
  return (
    <Autocomplete
      aria-label="What do you want to vary?"
      w={300}
      leftSection={<IconPlus size={14} />}
      placeholder="What do you want to vary?"
      selectFirstOptionOnChange
      value={search}
      onChange={setSearch}
      onDropdownOpen={() => setAsked(true)}
      withScrollArea={false}
      classNames={{ options: classes.proposals ?? '' }}
      comboboxProps={{ width: 480, position: 'bottom-end' }}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span className={classes.proposal}>
          <span>{option.value}</span>
          <span className="kp-ellipsis">{byTitle.get(option.value)?.words}</span>
        </span>
      )}
      data={grouped(found)}
      onKeyDown={(event) => {
        // Results of the server that arrive after the last keystroke are in the list, but no entry is highlighted yet.
        const [first] = found;
        if (event.key !== 'Enter' || search.trim() === '' || !first) return;
        if (event.currentTarget.getAttribute('aria-activedescendant')) return;
        event.preventDefault();
        pick(first.title);
      }}
      onOptionSubmit={(title) => {
        // The field sets the selected text after this: it is cleared after that.
        queueMicrotask(() => pick(title));
      }}
    />
  );
});

const SETTING_NAME = /^[a-z][\w.-]{2,}$/i;

/** A typed word may be a setting of a server that cannot be queried, or not yet. */
function withNamed(
  known: readonly Proposal[],
  typed: string,
  { kinds, experiment }: MatrixContext,
  { reading, problem }: Pick<ServerSettings, 'reading' | 'problem'>,
): readonly Proposal[] {
  const possible =
    !reading && experiment.where.target !== undefined && kinds.some(({ kind }) => kind === 'server-setting');
  if (!possible || !SETTING_NAME.test(typed) || known.some(({ group }) => group.startsWith('Settings of')))
    return known;
  return [...known, namedSetting(typed, problem?.message)];
}

/** Matches if every word occurs in title, group, details or suggested levels; entries with all words in the title come first. */
function matching(all: readonly Proposal[], search: string): Proposal[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const byTitle = all.filter(({ title }) => has(title));
  const byWords = all.filter(
    ({ title, group, words: about, suggestions }) =>
      !has(title) && has([title, group, about, ...suggestions].join(' ')),
  );
  return [...byTitle, ...byWords].slice(0, MOST_SHOWN);
}

function grouped(all: readonly Proposal[]): { group: string; items: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { group, title } of all) groups.set(group, [...(groups.get(group) ?? []), title]);
  return [...groups].map(([group, items]) => ({ group, items: [...new Set(items)] }));
}
