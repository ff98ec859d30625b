import type { Outcome } from './report';

/** The parts of package.json that n8n, npm and this verification read. */
export interface PackageManifest {
	name: string;
	version: string;
	license?: string;
	keywords?: string[];
	main?: string;
	files?: string[];
	engines?: { node?: string };
	dependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
	bundleDependencies?: string[] | boolean;
	peerDependencies?: Record<string, string>;
	peerDependenciesMeta?: Record<string, { optional?: boolean }>;
	n8n: { n8nNodesApiVersion?: number; aiNodeSdkVersion?: number; nodes: string[]; credentials: string[] };
}

/** Checks what package.json of a community package must contain. Pure. */
export function packageFacts(manifest: PackageManifest): Outcome {
	const facts: Array<[isMet: boolean, finding: string]> = [
		[
			manifest.name.startsWith('n8n-nodes-'),
			'The name must start with "n8n-nodes-", which is how n8n recognizes the package.',
		],
		[
			/^\d+\.\d+\.\d+$/.test(manifest.version),
			`The version "${manifest.version}" does not have the form 1.2.3.`,
		],
		[manifest.license === 'MIT', 'The license must be MIT.'],
		[
			manifest.keywords?.includes('n8n-community-node-package') === true,
			'The keyword n8n-community-node-package is missing; n8n lists only packages with it.',
		],
		[manifest.main === 'index.js', 'main must be index.js.'],
		[/\d/.test(manifest.engines?.node ?? ''), 'engines must specify the required Node version.'],
		[
			['dist', 'index.js'].every((path) => manifest.files?.includes(path)),
			'files must list dist and index.js; otherwise the tarball does not contain them.',
		],
		[
			[manifest.dependencies, manifest.optionalDependencies].every((list) => isEmpty(list)) &&
				!manifest.bundleDependencies,
			'Runtime dependencies are not allowed, because n8n Cloud does not install any.',
		],
		[
			JSON.stringify(manifest.peerDependencies) === '{"@n8n/ai-node-sdk":"*","n8n-workflow":"*"}',
			'peerDependencies must be exactly {"@n8n/ai-node-sdk": "*", "n8n-workflow": "*"}.',
		],
		[
			manifest.peerDependenciesMeta?.['@n8n/ai-node-sdk']?.optional === true,
			'The peer dependency @n8n/ai-node-sdk must be optional, because only the chat model needs it.',
		],
		[
			manifest.n8n.aiNodeSdkVersion === 1,
			'n8n.aiNodeSdkVersion must be 1, the SDK version that the chat model uses.',
		],
		[manifest.n8n.n8nNodesApiVersion === 1, 'n8n.n8nNodesApiVersion must be 1.'],
		[manifest.n8n.nodes.length > 0, 'n8n.nodes is empty.'],
		[manifest.n8n.credentials.length > 0, 'n8n.credentials is empty.'],
	];
	return {
		detail: `${manifest.name} ${manifest.version}, ${facts.length} facts`,
		findings: facts.filter(([isMet]) => !isMet).map(([, finding]) => finding),
	};
}

function isEmpty(list: Record<string, string> | undefined): boolean {
	return Object.keys(list ?? {}).length === 0;
}
