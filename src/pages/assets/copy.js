// The Copy and Share buttons. They stay hidden without this script.

/** Beside the button, so that nothing moves. */
function showBriefly(button, text) {
  button.querySelector('.said')?.remove();
  const said = Object.assign(document.createElement('span'), { className: 'said', textContent: text });
  said.setAttribute('role', 'status');
  button.append(said);
  setTimeout(() => said.remove(), 2000);
}

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    showBriefly(button, text === location.href ? 'Link copied' : 'Copied');
  } catch {
    showBriefly(button, 'Couldn’t copy');
  }
}

/** The code that is shown in the button's figure. */
function codeBeside(button) {
  const codes = [...button.closest('figure').querySelectorAll('code')];
  return codes.find((code) => code.checkVisibility()).textContent;
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => void copy(button, button.dataset.copy || codeBeside(button)));
}

// Opens the share sheet on phones and tablets, and copies the link elsewhere.
for (const button of document.querySelectorAll('[data-share]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const touch = matchMedia('(pointer: coarse)').matches;
    if (!touch || !navigator.share) return void copy(button, location.href);
    navigator.share({ title: button.dataset.share, url: location.href }).catch(() => undefined);
  });
}
