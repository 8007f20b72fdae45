// Runs before the first paint: the chosen theme, else that of the system.  A button changes it.
const chosen = localStorage.getItem("typematch-theme");
if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;

document.addEventListener("click", (event) => {
  if (!event.target.closest("#theme")) return;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const other = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = other;
  localStorage.setItem("typematch-theme", other);
});
