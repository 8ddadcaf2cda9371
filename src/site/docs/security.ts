/** As in `SECURITY.md`. Only the operator of an instance knows the repository's URL. */
const SOFTWARE =
  'For vulnerabilities in the software itself, use “Report a vulnerability” on the security tab of the source repository.';

/** Where to report vulnerabilities. `security.txt` links here, so this must not link back. */
export function whomToTell(contact: string | null): string {
  const operator = contact
    ? `report it privately to the operator of this instance: <${contact}>.`
    : 'the operator of this instance has not provided a contact.';
  return `${operator} ${SOFTWARE} Tell us what you did, what happened and what you expected.`;
}
