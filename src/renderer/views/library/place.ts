import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';

/** Address of the page of a session. */
export const placeOf = ({ id, state }: Pick<Session, 'id' | 'state'>): string =>
  `/sessions/${id}/${ENDED_SESSION.includes(state) ? 'results' : 'live'}`;
