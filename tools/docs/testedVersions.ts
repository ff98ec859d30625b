import path from 'node:path';

import { type ServerResult, serverResults } from '../../test/server/results';
import { project } from './pages';
import { withSection } from './section';
import { tableOf } from './table';

export const compatibilityPage = path.join(project, 'docs', 'compatibility.md');

/** The page with the versions of n8n that were tested. */
export function withTestedVersions(text: string | undefined): string {
	return withSection(text ?? '# Compatibility\n', {
		name: 'versions',
		heading: 'Tested versions',
		content: versionsTable(serverResults()),
	});
}

function versionsTable(results: ServerResult[]): string {
	return tableOf(
		[
			'n8n',
			'How n8n runs',
			'Node.js',
			'It asks for Node.js',
			'Tests that passed',
			'Tests that do not apply',
			'Date',
		],
		results.map(({ n8n, shape, node, asksFor, passed, skipped, date }) => [
			n8n,
			shape,
			node,
			asksFor,
			String(passed),
			String(skipped),
			date,
		]),
	);
}
