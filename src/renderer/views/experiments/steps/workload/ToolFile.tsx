import { Button, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { CodeBlock, Panel, saveFile } from '../../../../ui/index.ts';
import type { DocumentState } from '../../document/document.ts';
import { CellSelect } from './CellSelect.tsx';

interface Properties {
  file: { title: string; name: string };
  tool: string;
  state: DocumentState;
}

/** The load as a file of the tool's own: to read, to copy, and to save. */
export function ToolFile({ file, tool, state }: Properties) {
  const [chosen, setChosen] = useState(0);
  const { files = [], plan } = state.checked ?? {};
  const place = Math.min(chosen, files.length - 1);
  const text = files[place];
  const save = (): void =>
    saveFile({ fileName: file.name, mediaType: 'text/plain', bytes: new TextEncoder().encode(text) });
  return (
    <Panel
      title={file.title}
      note={`The same load, for ${tool} to run by itself.`}
      actions={
        text !== undefined && (
          <Group gap={8}>
            <CellSelect plan={plan} count={files.length} value={place} onChange={setChosen} />
            <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={save}>
              Save
            </Button>
          </Group>
        )
      }
    >
      {text === undefined ? (
        <span className="kp-dim">It appears here once the problems are fixed.</span>
      ) : (
        <CodeBlock text={text} label={`Copy the ${file.title.toLowerCase()}`} maxHeight={320} />
      )}
    </Panel>
  );
}
