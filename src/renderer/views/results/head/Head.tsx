import { Button } from '@mantine/core';
import { IconActivity, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ENDED_SESSION, type Session } from '../../../../shared/model/session.ts';
import { systemWords } from '../../../../shared/model/session-labels.ts';
import { sessionWords } from '../../../../shared/model/session-words.ts';
import { AgainMenu, ExportMenu, RepeatTrials } from '../../../domain/index.ts';
import { IconAction, PageHeader, ProblemBanner, Status } from '../../../ui/index.ts';
import type { ResultsState } from '../useResults.ts';
import { AboutForm } from './AboutForm.tsx';
import { CompareMenu } from './CompareMenu.tsx';

/** What the session is, what a person says about it, and where to go with it. */
export function Head({ state }: { state: ResultsState }) {
  const [, go] = useLocation();
  const [editing, setEditing] = useState(false);
  const detail = state.detail.data;
  if (!detail) return <PageHeader title={state.detail.error ? 'No such session' : 'Reading the session…'} />;
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
            <AgainMenu sessions={[session]} />
            <CompareMenu session={session} warmup={state.warmup} />
            <ExportMenu sessionId={session.id} warmup={state.warmup} />
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
