import { useEffect, useRef, useState } from 'react';

/** Whether the user tried to submit a form. Each attempt focuses the first invalid field, which may be out of view. */
export function useTries() {
  const form = useRef<HTMLFormElement>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus();
    wrong?.scrollIntoView?.({ block: 'center' });
  }, [tries]);
  return { form, tried: tries > 0, attempt: () => setTries(tries + 1) };
}
