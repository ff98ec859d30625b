import { version } from 'n8n-core/package.json';
import { compareVersions } from '../../versionOrder';

/** Whether the engine under test is at least of this version; see `npm run test:cores`. */
export function isCoreSince(since: string): boolean {
	return compareVersions(version, since) >= 0;
}

/** Before this version, n8n keeps only the words of an error of a connection. */
export const KEEPS_ERRORS = '2.34.0';
