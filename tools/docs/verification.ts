import path from 'node:path';
import { guidelines } from '../../test/verify/guidelines';
import { project } from './pages';
import { withSection } from './section';
import { tableOf } from './table';

export const verificationPage = path.join(project, 'docs', 'dev', 'verification.md');

/** The page with all guidelines. */
export function withGuidelines(text: string): string {
	const content = tableOf(
		['Guideline', 'How the package follows it'],
		guidelines.map(({ name, link, evidence }) => [
			link ? `[${name}](${link})` : `${name} (our own)`,
			evidence,
		]),
	);
	return withSection(text, 'guidelines', content);
}
