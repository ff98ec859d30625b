import { version } from 'n8n-core/package.json';
import { compareVersions } from '../../versionOrder';

/** Whether the engine under test is at least of this version; see `npm run test:cores`. */
export function isCoreSince(since: string): boolean {
	return compareVersions(version, since) >= 0;
}

/** Before this version, n8n does not have the binary mode "combined". */
export const HAS_COMBINED_MODE = '2.5.0';

/** Some versions around 2.20 leave the connection of a response open that is not read to its end. */
export const leavesConnectionsOpen = version === '2.20.0';
