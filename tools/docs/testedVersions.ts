import path from 'node:path';

import { serverResults } from '../../test/server/results';
import { project } from './pages';
import { withSection } from './section';
import { tableOf } from './table';

export const compatibilityPage = path.join(project, 'docs', 'compatibility.md');

/** The page with the versions of n8n that were tested. */
export function withTestedVersions(text: string): string {
	const content = tableOf(
		['n8n', 'How n8n runs', 'Node.js', 'n8n asks for', 'Passed', 'Not applicable', 'Date'],
		serverResults().map(({ n8n, shape, node, asksFor, passed, skipped, date }) => [
			n8n,
			shape,
			node,
			asksFor,
			String(passed),
			String(skipped),
			date,
		]),
	);
	return withSection(text, 'versions', content);
}
