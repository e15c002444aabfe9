import { IconDatabase } from '@tabler/icons-react';
import type { Target, TargetKindInfo } from '../../../../../shared/model/target.ts';
import type { ToolInfo } from '../../../../../shared/model/tool.ts';
import { EmptyState, Panel, TableSkeleton } from '../../../../ui/index.ts';
import { AddLink } from './AddLink.tsx';
import { PickList } from './PickList.tsx';
import { addressWords } from './placeWords.tsx';

interface Properties {
  targets: readonly Target[] | undefined;
  tool: ToolInfo | undefined;
  chosen: string | undefined;
  /** Whether it can also be none. */
  without: boolean;
  kindOf(name: string): TargetKindInfo | undefined;
  onChoose(name: string | undefined): void;
}

const NONE = {
  name: '',
  title: 'None',
  words: 'The tool brings its own database, or measures the generator itself.',
};

/** The targets that the tool drives, and the one that is chosen in any case. */
export function TargetPanel({ targets, tool, chosen, without, kindOf, onChoose }: Properties) {
  const fitting = (targets ?? []).filter(({ spec }) => tool?.drives.includes(spec.kind) || spec.name === chosen);
  return (
    <Panel title="Target" note="System under test" flush actions={<AddLink to="/targets/new" words="Add a target" />}>
      {!targets ? (
        <TableSkeleton rows={3} />
      ) : fitting.length === 0 && !without ? (
        <EmptyState icon={<IconDatabase size={24} stroke={1.4} />} title="No target fits this workload">
          {tool?.title} drives {tool?.drives.map((kind) => kindOf(kind)?.title ?? kind).join(', ')}.
        </EmptyState>
      ) : (
        <PickList
          label="Target"
          items={[...(without ? [NONE] : []), ...fitting.map((target) => itemOf(target, kindOf(target.spec.kind)))]}
          chosen={chosen ?? ''}
          onChoose={(name) => onChoose(name === '' ? undefined : name)}
        />
      )}
    </Panel>
  );
}

const itemOf = (target: Target, kind: TargetKindInfo | undefined) => ({
  name: target.spec.name,
  title: target.spec.name,
  words: [kind?.title ?? target.spec.kind, addressWords(target, kind).address].filter(Boolean).join(' · '),
});
