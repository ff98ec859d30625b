/**
 * Returns the reasons why this version must not be published, in sentences; empty if there are none. Pure.
 *
 * @param tag the tag that is published, if any
 */
export function reasonsNotToRelease(version: string, changelog: string, tag = `v${version}`): string[] {
	const dated = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, 'm');
	return [
		...(tag === `v${version}` ? [] : [`The tag is ${tag}, but the version in package.json is ${version}.`]),
		...(dated.test(changelog) ? [] : [`CHANGELOG.md has no dated entry for ${version}.`]),
	];
}
