import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { formatDateTime } from '../../../../shared/util/format.ts';
import { DataTable, IconAction, Panel } from '../../../ui/index.ts';
import { drafts, dropDraft } from '../document/drafts.ts';
import { addressOf } from '../document/useDocumentActions.ts';

/** Documents with unsaved changes. */
export function Drafts() {
  const [kept, setKept] = useState(drafts);
  if (kept.length === 0) return null;
  return (
    <Panel title="Drafts" note="Not saved; discarded when this window closes" flush>
      <DataTable
        label="Drafts"
        rows={kept}
        rowId={({ id }) => id}
        columns={[
          {
            id: 'name',
            header: 'Name',
            grow: true,
            value: ({ name }) => name,
            cell: ({ id, name }) => (
              <Link href={addressOf(id, 'workload')} title={name}>
                {name}
              </Link>
            ),
          },
          {
            id: 'of',
            header: 'Started from',
            value: ({ id }) => (id.startsWith('new/') ? 'blank experiment' : 'saved experiment or template'),
          },
          {
            id: 'changed',
            header: 'Changed',
            value: ({ at }) => at,
            cell: ({ at }) => formatDateTime(at),
            align: 'right',
          },
          {
            id: 'discard',
            header: '',
            label: 'Discard',
            width: 44,
            cell: ({ id, name }) => (
              <IconAction
                label={`Discard the draft ${name}`}
                onClick={() => {
                  dropDraft(id);
                  setKept(drafts());
                }}
              >
                <IconTrash size={16} stroke={1.6} />
              </IconAction>
            ),
          },
        ]}
      />
    </Panel>
  );
}
