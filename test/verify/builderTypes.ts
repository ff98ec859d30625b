import { countTokens } from 'gpt-tokenizer';
import { validateNodeDescription } from 'n8n-core/dist/nodes-loader/validate-node-description';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { generateNodeTypeFile } from '@n8n/workflow-sdk/scripts/generate-types';
import { classNameOf, loadPackage, type Outcome, type PackageManifest } from './packageFacts';

/** How many tokens of a model the type of a node may take. Chat needs the most, 11 of them above 2,500 for JSON as Columns. */
const LIMITS = { utilities: 5050, other: 2525 };

/**
 * Checks that a model can afford to read what n8n's AI builder shows it of a node: the TypeScript type that n8n makes
 * from its description, counted like GPT models do (`gpt-tokenizer`).
 */
export function builderTypes(projectFolder: string, manifest: PackageManifest): Outcome {
	const exported = loadPackage(projectFolder) as Record<string, new () => INodeType>;
	const sizes = manifest.n8n.nodes.map((file) => {
		const { description } = new exported[classNameOf(file)]();
		// n8n does not load a package with a builder hint in a wrong place.
		validateNodeDescription(description);
		const tokens = countTokens(builderType(description, manifest.name));
		const limit = description.name === 'utilities' ? LIMITS.utilities : LIMITS.other;
		return { name: description.name, tokens, limit };
	});
	const findings = sizes
		.filter(({ tokens, limit }) => tokens > limit)
		.map(
			({ name, tokens, limit }) =>
				`The type of ${name} takes ${tokens} tokens, at most ${limit} are allowed.`,
		);
	const largest = sizes.toSorted((one, other) => other.tokens - one.tokens).slice(0, 3);
	return { detail: largest.map(({ name, tokens }) => `${name} ${tokens} tokens`).join(', '), findings };
}

/** Returns the TypeScript type of a node, as n8n's AI builder sees it. */
function builderType(description: INodeTypeDescription, packageName: string): string {
	return generateNodeTypeFile({ ...description, name: `${packageName}.${description.name}` } as never);
}
