import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { formatCount } from '../../shared/util/format.ts';

interface Properties {
  /** How many options there are to look through. */
  count: number;
  /** How many were found; absent while nothing is looked for. */
  found: number | undefined;
  query: string;
  onQuery(query: string): void;
}

/** Looks through names and help of the options. Escape ends it. */
export const OptionSearch = ({ count, found, query, onQuery }: Properties) => (
  <>
    <TextInput
      w={280}
      aria-label="Search options"
      placeholder={`Search ${formatCount(count, 'option')} and their help`}
      leftSection={<IconSearch size={14} />}
      rightSection={query !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => onQuery('')} />}
      value={query}
      onChange={(event) => onQuery(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || query === '') return;
        event.stopPropagation();
        onQuery('');
      }}
    />
    <output className={found === undefined ? 'kp-visually-hidden' : 'kp-small'}>
      {found === undefined ? '' : `${formatCount(found, 'option')} found`}
    </output>
  </>
);
