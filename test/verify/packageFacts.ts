import type { Outcome } from './report';

/** The parts of package.json that n8n, npm and this verification read. */
export interface PackageManifest {
	name: string;
	version: string;
	main?: string;
	engines?: { node?: string };
	n8n: { nodes: string[]; credentials: string[] };
}

/** Checks what n8n's rules for package.json, which are part of `npm run lint`, do not ask for. Pure. */
export function packageFacts({ name, version, main, engines, n8n }: PackageManifest): Outcome {
	const facts: Array<[isMet: boolean, finding: string]> = [
		[main === 'index.js', 'main must be index.js.'],
		[/\d/.test(engines?.node ?? ''), 'engines must specify the required Node version.'],
		[n8n.credentials.length > 0, 'n8n.credentials is empty.'],
	];
	return {
		detail: `${name} ${version}`,
		findings: facts.filter(([isMet]) => !isMet).map(([, finding]) => finding),
	};
}
