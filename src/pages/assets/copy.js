// Copies what stands beside a button, and shares a car's page. Without this script the buttons are not there.

function say(button, words) {
  const said = button.innerHTML;
  button.textContent = words;
  setTimeout(() => (button.innerHTML = said), 2000);
}

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    say(button, text === location.href ? 'Link copied' : 'Copied');
  } catch {
    say(button, 'Select and copy');
  }
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => void copy(button, button.dataset.copy));
}

// The system's sheet on phones and tablets; elsewhere the link is copied.
for (const button of document.querySelectorAll('[data-share]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const touch = matchMedia('(pointer: coarse)').matches;
    if (!touch || !navigator.share) return void copy(button, location.href);
    navigator.share({ title: button.dataset.share, url: location.href }).catch(() => undefined);
  });
}
