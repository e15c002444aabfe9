import type { Host } from '../../../../../shared/model/host.ts';
import { useHostLinks } from '../../../../client/index.ts';
import { Panel, TableSkeleton } from '../../../../ui/index.ts';
import { AddLink } from './AddLink.tsx';
import { FurtherGenerators } from './FurtherGenerators.tsx';
import { PickList } from './PickList.tsx';
import { hostItem } from './placeWords.tsx';

interface Properties {
  hosts: readonly Host[] | undefined;
  generators: readonly string[];
  /** Whether the tool can divide its load between several hosts. */
  divides: boolean;
  onChange(generators: string[]): void;
}

/** The first generator, and those that share the load with it. */
export function GeneratorPanel({ hosts, generators: [first = '', ...further], divides, onChange }: Properties) {
  const links = useHostLinks();
  return (
    <Panel
      title="Generator"
      note="The host that runs the tool"
      flush
      actions={<AddLink to="/hosts/new" words="Add a host" />}
    >
      {hosts ? (
        <>
          <PickList
            label="Generator"
            items={hosts.map((host) => hostItem(host, links))}
            chosen={first}
            onChoose={(name) => onChange([name, ...further.filter((other) => other !== name)])}
          />
          {further.length > 0 || (divides && hosts.length > 1) ? (
            <FurtherGenerators
              hosts={hosts.map(({ spec }) => spec.name).filter((name) => name !== first)}
              chosen={further}
              onChoose={(names) => onChange([first, ...names])}
            />
          ) : null}
        </>
      ) : (
        <TableSkeleton rows={3} />
      )}
    </Panel>
  );
}
