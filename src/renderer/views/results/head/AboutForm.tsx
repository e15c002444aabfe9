import { Button, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { SessionDetail } from '../../../../shared/model/session.ts';
import { useAction, useCall } from '../../../client/index.ts';
import { Panel, ProblemBanner } from '../../../ui/index.ts';

/** Name, tags and note of a session: the only fields that users may change afterwards. */
export function AboutForm({ detail, onDone }: { detail: SessionDetail; onDone: () => void }) {
  const { session } = detail;
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const [name, setName] = useState(session.name);
  const [tags, setTags] = useState<readonly string[]>(session.tags);
  const [note, setNote] = useState(detail.note ?? '');
  const others = useCall('sessions.list', {});
  const known = [...new Set((others.data ?? []).flatMap((other) => other.tags))].sort();
  const edit = useAction('sessions.edit', { onSuccess: onDone });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    edit.mutate({ id: session.id, name: name.trim(), tags: [...tags], note: note.trim() });
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) onDone();
  };
  return (
    <Panel label="Name, tags and note">
      <form className="kp-about" onSubmit={submit} onKeyDown={leave}>
        <TextInput
          label="Name"
          maxLength={200}
          ref={first}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TagsInput
          label="Tags"
          placeholder={tags.length === 0 ? 'Enter after each' : ''}
          data={known}
          value={[...tags]}
          onChange={setTags}
        />
        <Textarea
          label="Note"
          className="kp-about-note"
          placeholder="Notes for readers of these figures."
          rows={3}
          resize="vertical"
          maxLength={20_000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <div className="kp-bar kp-about-note">
          <Button type="submit" loading={edit.isPending} disabled={!name.trim()}>
            Save
          </Button>
          <Button variant="subtle" color="gray" onClick={onDone}>
            Cancel
          </Button>
        </div>
        {edit.error ? <ProblemBanner problem={edit.error.problem} /> : null}
      </form>
    </Panel>
  );
}
