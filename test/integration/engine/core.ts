import { version } from 'n8n-core/package.json';
import { compareVersions } from '../../versionOrder';

/** Whether the engine under test is at least of this version; see `npm run test:cores`. */
export function isCoreSince(since: string): boolean {
	return compareVersions(version, since) >= 0;
}

/** Before this version, n8n does not have the binary mode "combined". */
export const HAS_COMBINED_MODE = '2.5.0';
