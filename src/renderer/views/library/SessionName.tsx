import { Tooltip } from '@mantine/core';
import { Link } from 'wouter';
import type { Session } from '../../../shared/model/session.ts';
import { placeOf } from './place.ts';

const SHOWN_TAGS = 2;

/** Name first; the question and the tags below it. */
export function SessionName({ session }: { session: Session }) {
  const { name, question, damaged, message, tags } = session;
  const second = damaged ? message : question;
  return (
    <span className="kp-two-lines">
      {damaged ? (
        <span className="kp-ellipsis">{name}</span>
      ) : (
        <Link className="kp-ellipsis kp-library-link" href={placeOf(session)} title={name}>
          {name}
        </Link>
      )}
      <span className="kp-library-second">
        {second ? (
          <span className="kp-ellipsis" title={second}>
            {second}
          </span>
        ) : null}
        <Tags tags={tags} />
      </span>
    </span>
  );
}

/** Two of them; hover or focus shows the rest. */
function Tags({ tags }: { tags: readonly string[] }) {
  const rest = tags.slice(SHOWN_TAGS);
  return (
    <>
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <span key={tag} className="kp-tag kp-ellipsis" title={tag}>
          {tag}
        </span>
      ))}
      {rest.length > 0 ? (
        <Tooltip label={rest.join(', ')} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
          <button type="button" className="kp-tag" data-of-row aria-label={`+${rest.length} tags: ${rest.join(', ')}`}>
            +{rest.length}
          </button>
        </Tooltip>
      ) : null}
    </>
  );
}
