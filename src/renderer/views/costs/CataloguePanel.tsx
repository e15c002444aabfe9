import { SegmentedControl, Select, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { CatalogueEntry } from '../../../shared/model/cost.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { Panel, TableSkeleton } from '../../ui/index.ts';
import classes from './costs.module.css';
import { matchesEntry } from './draft.ts';

interface Properties {
  entries: readonly CatalogueEntry[] | undefined;
  onAdd(entry: CatalogueEntry): void;
}

/** Maximum rendered rows: for more, users search. */
const MOST_SHOWN = 80;

/** Instances and volumes with their prices; hover shows the source of each. */
export function CataloguePanel({ entries, onAdd }: Properties) {
  const [query, setQuery] = useState('');
  const [kind, setKind] = useState('all');
  const [provider, setProvider] = useState<string | null>(null);
  const found = (entries ?? []).filter(
    (entry) =>
      (kind === 'all' || entry.kind === kind) &&
      (provider === null || entry.provider === provider) &&
      matchesEntry(entry, query.trim()),
  );
  const providers = [...new Set((entries ?? []).map((entry) => entry.provider))];
  return (
    <Panel title="Price catalogue" note={entries && formatCount(found.length, 'entry', 'entries')} flush>
      <div className={classes.filters}>
        <TextInput
          aria-label="Find an instance or a volume"
          placeholder="Find: m5, 16 vCPU, gp3…"
          leftSection={<IconSearch size={14} />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Select
          aria-label="Provider"
          placeholder="All providers"
          clearable
          data={providers}
          value={provider}
          onChange={setProvider}
        />
        <SegmentedControl
          aria-label="Kind"
          value={kind}
          data={[
            { value: 'all', label: 'All' },
            { value: 'instance', label: 'Instances' },
            { value: 'volume', label: 'Volumes' },
          ]}
          onChange={setKind}
        />
      </div>
      {entries === undefined ? <TableSkeleton rows={6} /> : <Entries found={found} onAdd={onAdd} />}
    </Panel>
  );
}

function Entries({ found, onAdd }: { found: readonly CatalogueEntry[]; onAdd(entry: CatalogueEntry): void }) {
  return (
    <ul className={classes.catalogue}>
      {found.slice(0, MOST_SHOWN).map((entry) => (
        <li key={entry.id}>
          <Tooltip label={<Source entry={entry} />} multiline w={320} position="bottom-end" openDelay={250}>
            <button type="button" onClick={() => onAdd(entry)}>
              <IconPlus size={14} aria-hidden="true" />
              <span>
                <span className="kp-visually-hidden">Add </span>
                <strong>{entry.title}</strong> <em>{entry.region}</em> <span>{entry.summary}</span>
              </span>
              <Confidence words={entry.confidence} />
            </button>
          </Tooltip>
        </li>
      ))}
      {found.length === 0 && <li className={classes.none}>No results. Add a custom item instead.</li>}
      {found.length > MOST_SHOWN && (
        <li className={classes.none}>
          {formatCount(found.length - MOST_SHOWN, 'more entry', 'more entries')}: search to find them.
        </li>
      )}
    </ul>
  );
}

function Source({ entry }: { entry: CatalogueEntry }) {
  return (
    <>
      <div>
        {entry.provider}, {entry.region}
      </div>
      <div>Source: {entry.source}</div>
      <div>
        As of {entry.asOf} · confidence {entry.confidence}
      </div>
    </>
  );
}

/** Only confidence below high is marked. */
const Confidence = ({ words }: { words: string }) =>
  words === 'high' ? null : (
    <span className={classes.confidence} data-low={words === 'low' || undefined}>
      {words} confidence
    </span>
  );
