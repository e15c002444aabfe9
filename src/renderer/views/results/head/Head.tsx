import { Button, Menu, TagsInput, Textarea, TextInput } from '@mantine/core';
import { IconActivity, IconArrowsDiff, IconPencil } from '@tabler/icons-react';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ENDED_SESSION, type Session, type SessionDetail } from '../../../../shared/model/session.ts';
import { sessionWords, systemWords } from '../../../../shared/model/session-words.ts';
import { formatDateTime } from '../../../../shared/util/format.ts';
import { useAction, useCall } from '../../../client/index.ts';
import { ExportMenu, RepeatTrials, RerunMenu } from '../../../domain/index.ts';
import { IconAction, PageHeader, Panel, ProblemBanner, Status } from '../../../ui/index.ts';
import type { ResultsState } from '../useResults.ts';

/** Facts about the session, the user's note, and links from it. */
export function Head({ state }: { state: ResultsState }) {
  const [, go] = useLocation();
  const [editing, setEditing] = useState(false);
  const detail = state.detail.data;
  if (!detail) return <PageHeader title={state.detail.error ? 'Session not found' : 'Reading the session…'} />;
  const { session, note } = detail;
  const { word, tone } = sessionWords(session);
  const live = !ENDED_SESSION.includes(session.state) || session.state === 'failed';
  return (
    <>
      <PageHeader
        title={session.name}
        aside={
          <>
            <Status tone={tone} title={session.message ?? session.stoppedBy ?? ''}>
              {word}
            </Status>
            {session.tags.map((tag) => (
              <span key={tag} className="kp-tag">
                {tag}
              </span>
            ))}
            <IconAction label="Change name, tags and note" onClick={() => setEditing(!editing)}>
              <IconPencil size={16} stroke={1.6} />
            </IconAction>
          </>
        }
        subtitle={subtitleOf(session)}
        actions={
          <>
            {live ? (
              <Button
                variant="default"
                leftSection={<IconActivity size={16} />}
                onClick={() => go(`/sessions/${session.id}/live`)}
              >
                Live
              </Button>
            ) : null}
            <RepeatTrials session={session} />
            <RerunMenu sessions={[session]} />
            <CompareMenu session={session} warmup={state.warmup} />
            <ExportMenu sessionId={session.id} warmup={state.warmup} baselines={state.baselines} />
          </>
        }
      />
      {editing ? <AboutForm detail={detail} onDone={() => setEditing(false)} /> : null}
      {session.state === 'done' && session.message ? <ProblemBanner problem={{ message: session.message }} /> : null}
      {session.stoppedBy ? <ProblemBanner tone="idle" problem={{ message: session.stoppedBy }} /> : null}
      {note && !editing ? <p className="kp-pinned">{note}</p> : null}
    </>
  );
}

const subtitleOf = (session: Session): string => session.question ?? systemWords(session);

const MOST = 12;

/**
 * The other sessions, those of the same tool first; the selected one becomes the baseline. `warmup`: the cut shown on the page; undefined:
 * as planned.
 */
function CompareMenu({ session, warmup }: { session: Session; warmup: number | undefined }) {
  const cut = warmup === undefined ? '' : `&warmup=${warmup}`;
  const [, go] = useLocation();
  const list = useCall('sessions.list', {});
  const others = (list.data ?? [])
    .filter((other) => other.id !== session.id && (other.best !== undefined || other.figuresFollow))
    .sort((one, other) => Number(other.tool === session.tool) - Number(one.tool === session.tool));
  return (
    <Menu position="bottom-end" width={340}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconArrowsDiff size={16} />}
          disabled={others.length === 0 && session.cells < 2}
        >
          Compare
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {session.cells > 1 ? (
          <Menu.Item onClick={() => go(`/compare?baseline=${session.id}&other=${session.id}${cut}`)}>
            Cells of this session vs. a baseline level
          </Menu.Item>
        ) : null}
        {others.length > 0 ? <Menu.Label>Compare with this baseline</Menu.Label> : null}
        {others.slice(0, MOST).map((other) => (
          <Menu.Item key={other.id} onClick={() => go(`/compare?baseline=${other.id}&other=${session.id}${cut}`)}>
            <div className="kp-ellipsis" title={other.name}>
              {other.name}
            </div>
            <div className="kp-small kp-ellipsis">
              {formatDateTime(other.createdAt)} · {systemWords(other)}
            </div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

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
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) onDone();
  };
  return (
    <Panel label="Name, tags and note">
      <form className="kp-about" onSubmit={submit} onKeyDown={closeOnEscape}>
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
