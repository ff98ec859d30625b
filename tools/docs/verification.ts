import { readdirSync } from 'node:fs';
import path from 'node:path';
import { guidelines } from '../../test/verify/guidelines';
import { project } from './pages';
import { withSection } from './section';
import { tableOf } from './table';

export const verificationPage = path.join(project, 'docs', 'verification.md');

const RULES =
	'https://github.com/n8n-io/n8n/tree/master/packages/%40n8n/eslint-plugin-community-nodes/docs/rules';

/** The page with all guidelines, and with the names of the rules that n8n's scan checks. */
export function withGuidelines(text = '# Verification by n8n\n'): string {
	const listed = withSection(text, { name: 'guidelines', heading: 'Guidelines', content: guidelineTable() });
	return withSection(listed, { name: 'rules', heading: 'Rules of the scan', content: ruleList() });
}

function guidelineTable(): string {
	return tableOf(
		['Guideline', 'How the package follows it', 'Checked by `npm run verify`'],
		guidelines.map(({ name, link, evidence, findings }) => [
			link ? `[${name}](${link})` : `${name} (our own)`,
			evidence,
			findings ? 'yes' : 'by the checks that are named, or by reading',
		]),
	);
}

function ruleList(): string {
	return readdirSync(path.join(project, 'node_modules/@n8n/eslint-plugin-community-nodes/docs/rules'))
		.sort()
		.map((file) => `[${file.replace(/\.md$/, '')}](${RULES}/${file})`)
		.join(', ');
}
