import { useCall } from '../client/index.ts';
import { ProblemBanner } from '../ui/index.ts';

/** The library can only be read: a read-only or full disk, or damage. Says what still works, wherever in the app one is. */
export function LibraryBanner() {
  const readOnly = useCall('app.info', {}).data?.readOnly;
  if (!readOnly) return null;
  return (
    <div className="kp-link-banner">
      <ProblemBanner tone="warn" problem={readOnly} />
    </div>
  );
}
